// `node dev/tools/testDeep.mjs`: what is random, large or slow. Arguments are words in paths.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ensureInstalled, root } from './install.mjs';
import { jest } from './jest.mjs';

/** The tests that run only here, and those of which `npm test` runs a sample. */
const isDeep = (/** @type {string} */ path) =>
	path.endsWith('.deep.test.ts') ||
	(path.endsWith('.test.ts') &&
		/\b(depth|seedFrom)\(|\bCASES_PER_TEST\b/.test(readFileSync(join(root, path), 'utf8')));

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
