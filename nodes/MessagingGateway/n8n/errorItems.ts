/**
 * The fields that an item may have at the error output.
 * Versions: `details` since n8n 2.36.
 * n8n's issue: none known. An item with any other field goes to the success output.
 * If n8n changes: run `node test/compat/main.mjs`, and delete this when no version before 2.36 is supported.
 * Checked with n8n 2.41.1.
 */
import * as n8n from 'n8n-workflow';

/** n8n has this export since 2.37, just after `details`, so this is never true for a version that does not accept `details`. */
export const n8nKeepsDetails = 'N8N_NODES_API_VERSION' in n8n;
