import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { buildSync } from 'esbuild';

import type { Answer } from '../answer';

const folder = join(__dirname, 'page');

const files: Record<string, { contentType: string; read: () => string }> = {
	'': { contentType: 'text/html', read: () => text('page.html') },
	'/page.css': { contentType: 'text/css', read: () => text('page.css') },
	'/page.js': { contentType: 'text/javascript', read: compiled },
	'/icon.svg': { contentType: 'image/svg+xml', read: () => text('icon.svg') },
};

const ready = new Map<string, Answer>();

/** Made when it is first asked for: a sandbox whose phone nobody looks at compiles nothing. */
export function pageFile(path: string): Answer | undefined {
	const file = Object.hasOwn(files, path) ? files[path] : undefined;
	if (!file) return undefined;
	const answer = ready.get(path) ?? {
		status: 200,
		headers: { 'Content-Type': `${file.contentType}; charset=utf-8` },
		body: Buffer.from(file.read()),
	};
	ready.set(path, answer);
	return answer;
}

function text(name: string): string {
	return readFileSync(join(folder, name), 'utf8');
}

function compiled(): string {
	const { outputFiles } = buildSync({
		entryPoints: [join(folder, 'main.ts')],
		bundle: true,
		write: false,
		format: 'esm',
		target: 'es2022',
		charset: 'utf8',
	});
	return outputFiles[0]!.text;
}
