import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { buildSync } from 'esbuild';

import type { HttpResponse } from '../http/response';

const folder = join(__dirname, 'page');

const files: Record<string, { contentType: string; load: () => string }> = {
	'': { contentType: 'text/html', load: () => readText('page.html') },
	'/page.css': { contentType: 'text/css', load: () => bundle('page.css') },
	'/page.js': { contentType: 'text/javascript', load: () => bundle('main.ts') },
	'/icon.svg': { contentType: 'image/svg+xml', load: () => readText('icon.svg') },
};

const cache = new Map<string, HttpResponse>();

/** Returns a file of the page. Loads it on first use, so that a sandbox without an open phone page compiles nothing. */
export function pageFile(path: string): HttpResponse | undefined {
	const file = Object.hasOwn(files, path) ? files[path] : undefined;
	if (!file) return undefined;
	const response = cache.get(path) ?? {
		status: 200,
		headers: { 'Content-Type': `${file.contentType}; charset=utf-8` },
		body: Buffer.from(file.load()),
	};
	cache.set(path, response);
	return response;
}

function readText(name: string): string {
	return readFileSync(join(folder, name), 'utf8');
}

/** Bundles a file with its imports. */
function bundle(name: string): string {
	const { outputFiles } = buildSync({
		entryPoints: [join(folder, name)],
		bundle: true,
		write: false,
		format: 'esm',
		target: 'es2022',
		charset: 'utf8',
	});
	return outputFiles[0]!.text;
}
