import { existsSync } from 'node:fs';
import { join } from 'node:path';

export const NOT_MEASURED = 'not measured: no real n8n is installed. Run `npm start` to install it';

/** `npm start` creates this file when the installation is complete. */
export function isRealN8nInstalled(): boolean {
	return existsSync(join(__dirname, '..', '..', 'live', 'node_modules', '.complete'));
}
