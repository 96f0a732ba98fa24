import { createHash } from 'node:crypto';
import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Instrumenter } from '@stryker-mutator/instrumenter';

import { root } from '../install.mjs';

const PUBLISHED = ['credentials', 'gateway', 'nodes'];
const FOLDERS = [...PUBLISHED, 'examples', 'docs', 'dev', 'test'];
const FILES = ['package.json', 'README.md', 'tsconfig.json', 'jest.config.js'];

/**
 * A place of the published source, and what it is replaced with.
 * @typedef {{ id: string, file: string, line: number, mutator: string, text: string, replacement: string, hash: number }} Mutation
 */

/** Texts for people have exact tables of their own, so strings with a space or a capital letter, and links, stay as they are. */
const isText = (/** @type {string} */ mutator, /** @type {string} */ text) =>
	mutator === 'StringLiteral' && /^.?[A-Z]| |\.md#/.test(text);

/** Not what `npm start` has installed and written. */
const isSource = (/** @type {string} */ path) =>
	!/node_modules|\.home/.test(path.slice(root.length));

const silent = () => undefined;
const logger = /** @type {never} */ ({
	...{ isDebugEnabled: () => false, isTraceEnabled: () => false },
	...{ trace: silent, debug: silent, info: silent, warn: silent, error: silent, fatal: silent },
});

/**
 * Copies the project to a folder. The published source of the copy contains all mutations; the environment variable
 * __STRYKER_ACTIVE_MUTANT__ makes one of them happen.
 * @param {string} copy
 */
export async function instrument(copy) {
	for (const name of [...FOLDERS, ...FILES]) {
		cpSync(join(root, name), join(copy, name), { recursive: true, filter: isSource });
	}
	symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction');
	const names = PUBLISHED.flatMap((folder) =>
		readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
			.filter((name) => name.endsWith('.ts'))
			.map((name) => `${folder}/${name.replaceAll('\\', '/')}`),
	).sort();
	const sources = new Map(names.map((name) => [name, readFileSync(join(root, name), 'utf8')]));
	const { files, mutants } = await new Instrumenter(logger).instrument(
		names.map((name) => ({ name, mutate: true, content: sources.get(name) ?? '' })),
		{ plugins: null, excludedMutations: [], ignorers: [] },
	);
	for (const { name, content } of files) writeFileSync(join(copy, name), content);
	return mutants
		.map(({ id, fileName, mutatorName, location: { start, end }, replacement }) => {
			const lines = (sources.get(fileName) ?? '').split('\n').slice(start.line, end.line + 1);
			lines[lines.length - 1] = lines.at(-1)?.slice(0, end.column) ?? '';
			const text = lines.join('\n').slice(start.column);
			const content = [fileName, mutatorName, text, replacement].join('\0');
			const hash = createHash('sha256').update(content).digest().readUInt32BE();
			const line = start.line + 1;
			return { id, file: fileName, line, mutator: mutatorName, text, replacement, hash };
		})
		.filter(({ mutator, text }) => !isText(mutator, text));
}
