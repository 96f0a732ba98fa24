import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const text = readFileSync(join(__dirname, '../../docs/gateway-api.md'), 'utf8');
const [, section = ''] = /\n## Endpoints\n(.*?)\n## /s.exec(text) ?? [];

/** The endpoint table of the API document, row by row. */
export const DOCUMENTED_ENDPOINTS = [
	...section.matchAll(/^\| (\w+) +\| `\/api\/whatsapp\/\{token\}(.+?)` +\| (.+?) +\|/gm),
].map(([, method, path, signed]) => ({
	method: method!,
	/** Below /api/whatsapp/{token}. */
	path: path!,
	signed: signed!,
}));
