/**
 * Which fields an item may have that leaves by the error output.
 * Versions: `details` since n8n 2.36.
 * n8n's issue: none known. An item with other fields than these leaves by the success output.
 * If n8n changes: run `npm run test:compat`, and delete this when no version before 2.36 is supported.
 * Checked with n8n 2.41.1.
 */
import * as n8n from 'n8n-workflow';

/** This export is hardly newer than `details` (2.37), so it never says too much. */
export const acceptsDetails = 'N8N_NODES_API_VERSION' in n8n;
