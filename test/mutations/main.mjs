// `npm run mutations`: makes one mistake at a time in a copy of the project. The tests must find each. Arguments: parts of names.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ensureInstalled, root } from '../../tools/install.mjs';
import { mutations } from './mutationList.mjs';

const COPIED = ['credentials', 'gateway', 'nodes', 'sandbox', 'docs', 'test', 'tools'];
const COPIED_FILES = ['package.json', 'tsconfig.json', 'jest.config.js'];

ensureInstalled();
const words = process.argv.slice(2);
const chosen = mutations.filter(
	({ name, file }) =>
		words.length === 0 || words.some((word) => name.includes(word) || file.includes(word)),
);
let passed = 0;
let failed = 0;
const copy = mkdtempSync(join(tmpdir(), 'messaging-gateway-mutations-'));
try {
	for (const name of [...COPIED, ...COPIED_FILES]) {
		cpSync(join(root, name), join(copy, name), { recursive: true });
	}
	symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction');
	const all = [...new Set(chosen.map(({ tests }) => tests))].join('|');
	if (isFound(all)) report(false, 'The tests fail without any mutation');
	else chosen.forEach(check);
} finally {
	rmSync(copy, { recursive: true, force: true });
}
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;

/**
 * @param {boolean} isPassed
 * @param {string} text
 */
function report(isPassed, text) {
	console.log(`${isPassed ? 'ok    ' : 'NOT OK'}  ${text}`);
	if (isPassed) passed += 1;
	else failed += 1;
}

/** @param {(typeof mutations)[0]} mutation */
function check({ name, file, find, replace, tests }) {
	const path = join(copy, file);
	const source = readFileSync(path, 'utf8');
	if (source.split(find).length !== 2) {
		report(false, `Update mutationList.mjs: ${file} does not contain '${find}' exactly once`);
		return;
	}
	writeFileSync(
		path,
		source.replace(find, () => replace),
	);
	report(isFound(tests), `${name} (${file})`);
	writeFileSync(path, source);
}

/**
 * Whether a test fails.
 * @param {string} tests
 */
function isFound(tests) {
	const jest = join(root, 'node_modules/jest/bin/jest.js');
	const options = [
		'--silent',
		'--bail',
		'--maxWorkers=1',
		`--rootDir=${copy}`,
		'--testPathPatterns',
		tests,
	];
	return (
		spawnSync(process.execPath, [jest, ...options], { cwd: copy, stdio: 'ignore' }).status !== 0
	);
}
