// `npm test`: every check, on a fresh clone with only Node and npm. `npm test -- chatId`: what a change can affect, and the tests
// whose path contains the word.
import { spawn } from 'node:child_process';
import { join } from 'node:path';

import { changedFiles } from './changedFiles.mjs';
import { ensureInstalled, root } from './install.mjs';
import { jest } from './jest.mjs';

const PUBLISHED = /^(nodes|credentials|gateway)\/|^(package\.json|gulpfile\.js|README)/;

/** @type {string[]} */
const failedSteps = [];
let passed = 0;
let failed = 0;

/**
 * @param {string} name
 * @param {number} startedAt
 * @param {{ passed: number, failed: number }} counts
 * @param {string} output
 */
function report(name, startedAt, counts, output = '') {
	passed += counts.passed;
	failed += counts.failed;
	if (counts.failed > 0) failedSteps.push(name);
	console.log(`\n— ${name}: ${((Date.now() - startedAt) / 1000).toFixed(1)} s\n${output}`);
}

/**
 * Runs a Node program, which counts as one check. Its output follows at once, because the tests print at the same time.
 * @param {string} name
 * @param {string} program
 * @param {...string} args
 */
async function check(name, program, ...args) {
	const startedAt = Date.now();
	const run = spawn(process.execPath, [join(root, program), ...args], {
		cwd: root,
		stdio: ['ignore', 'pipe', 'pipe'],
		env: process.stdout.isTTY ? { ...process.env, FORCE_COLOR: '1' } : process.env,
	});
	let output = '';
	for (const stream of [run.stdout, run.stderr]) {
		stream.setEncoding('utf8').on('data', (text) => (output += text));
	}
	const status = /** @type {number | null} */ (
		await new Promise((resolve) => run.once('close', resolve))
	);
	const isPassed = status === 0;
	report(name, startedAt, { passed: Number(isPassed), failed: Number(!isPassed) }, output);
}

/** One after the other: next to the workers of the tests, two at a time would only compete. */
async function runChecks() {
	const changed = words.length > 0 ? changedFiles() : undefined;
	if (!changed || changed.some((path) => PUBLISHED.test(path))) {
		await check('Build', 'node_modules/gulp/bin/gulp.js', 'build', '--silent');
		await check("n8n's verification", 'dev/tools/verify.mjs');
	}
	await check('Types and lint', 'dev/tools/analyse.mjs', ...(changed ? ['--changed'] : []));
	const files = changed ?? ['.'];
	if (files.length > 0) {
		const options = ['--check', '--log-level', 'warn', '--ignore-unknown'];
		const cache = ['--cache', '--cache-strategy', 'content'];
		await check('Format', 'node_modules/prettier/bin/prettier.cjs', ...options, ...cache, ...files);
	}
}

async function runTests() {
	const startedAt = Date.now();
	const { files, ...counts } = await jest(['--silent', ...process.argv.slice(2)]);
	const lines = files
		.slice(0, 10)
		.map(({ path, seconds }) => `${seconds.toFixed(1).padStart(6)} s  ${path}`);
	report('Tests', startedAt, counts, `The slowest files:\n${lines.join('\n')}`);
}

ensureInstalled();
const words = process.argv.slice(2).filter((argument) => !argument.startsWith('-'));
await Promise.all([runChecks(), runTests()]);

if (failedSteps.length > 0) console.log(`\nFailed: ${failedSteps.join(', ')}`);
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
