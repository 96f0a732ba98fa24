import { existsSync } from 'node:fs';
import { join } from 'node:path';

export const NOT_MEASURED = 'not measured: no real n8n installed; `npm start` installs it';

/** `npm start` leaves this file when all of n8n is there. */
export function hasRealN8n(): boolean {
	return existsSync(join(__dirname, '..', '..', 'live', 'node_modules', '.complete'));
}
