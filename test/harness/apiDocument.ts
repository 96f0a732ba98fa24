import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const text = readFileSync(join(__dirname, '../../docs/gateway-api.md'), 'utf8');
const section = (title: string) =>
	new RegExp(`\\n## ${title}\\n(.*?)\\n## `, 's').exec(text)?.[1] ?? '';

/** The endpoint table of the API document, row by row. */
export const DOCUMENTED_ENDPOINTS = [
	...section('Endpoints').matchAll(/^\| `(\w+) \/api\/whatsapp\/\{token\}(.+?)` +\| (.+?) +\|/gm),
].map(([, method, path, signed]) => ({
	method: method!,
	/** Below /api/whatsapp/{token}. */
	path: path!,
	signed: signed!,
}));

/** The error codes of the API document, each with its status. */
export const DOCUMENTED_CODES = [
	...section('Errors').matchAll(/^- (\d{3}): (.*(?:\n {2}.*)*)/gm),
].flatMap(([, status, codes]) =>
	[...codes!.matchAll(/`(\w+)`/g)].map(([, code]): [number, string] => [Number(status), code!]),
);
