// `npm run test:deep`: what is random, large or slow, and the mistakes that tests must find. Other arguments are words in paths.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ensureInstalled, root } from './install.mjs';
import { jest } from './jest.mjs';

/** The tests that run only here, and those of which `npm test` runs a sample. */
const isDeep = (/** @type {string} */ path) =>
	path.endsWith('.deep.test.ts') ||
	(path.endsWith('.test.ts') &&
		/\b(depth|cases|seedFrom)\(|\bCASES_PER_TEST\b/.test(readFileSync(join(root, path), 'utf8')));

ensureInstalled();
const words = process.argv.slice(2);
const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
	.map((path) => join('test', path))
	.filter(isDeep)
	.filter((path) => words.length === 0 || words.some((word) => path.includes(word)));
if (files.length === 0) {
	console.error('No deep test has such a word in its path.');
	process.exit(1);
}
const tests = await jest(
	// Jest ignores these files otherwise.
	['--silent', '--testPathIgnorePatterns=/test/live/', '--runTestsByPath', ...files],
	{ TEST_DEPTH: 'deep' },
);
console.log(`\n${tests.passed} passed, ${tests.failed} failed`);
process.exitCode = tests.failed > 0 ? 1 : 0;
// It has counts of its own.
if (words.length === 0) {
	const mutations = join(root, 'test/mutations/main.mjs');
	const { status } = spawnSync(process.execPath, [mutations], { cwd: root, stdio: 'inherit' });
	if (status !== 0) process.exitCode = 1;
}
