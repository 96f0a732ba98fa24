// `npm test`: every check, on a fresh clone with only Node and npm.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { ensureInstalled, root } from './install.mjs';
import { jest } from './jest.mjs';

/** @type {string[]} */
const failedSteps = [];
let passed = 0;
let failed = 0;

/**
 * @param {string} name
 * @param {() => { passed: number, failed: number }} check
 */
function step(name, check) {
	console.log(`\n— ${name}`);
	const startedAt = Date.now();
	const counts = check();
	passed += counts.passed;
	failed += counts.failed;
	if (counts.failed > 0) failedSteps.push(name);
	console.log(`  ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
}

/**
 * Runs a Node program, which counts as one check.
 * @param {string} program
 * @param {...string} args
 */
function run(program, ...args) {
	const { status } = spawnSync(process.execPath, [join(root, program), ...args], {
		cwd: root,
		stdio: 'inherit',
	});
	return status === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

ensureInstalled();
step('Types', () => run('node_modules/typescript/bin/tsc', '--noEmit'));
step('Build', () => run('node_modules/gulp/bin/gulp.js', 'build', '--silent'));
step('Lint', () => run('node_modules/eslint/bin/eslint.js', '--max-warnings', '0', '.'));
step('Format', () =>
	run('node_modules/prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', '.'),
);
step("n8n's verification", () => run('tools/verify.mjs'));
step('Tests', () => jest(['--silent', ...process.argv.slice(2)]));

if (failedSteps.length > 0) console.log(`\nFailed: ${failedSteps.join(', ')}`);
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
