// `npm test`: everything that must hold, on a fresh clone with nothing but Node and npm.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ensureInstalled, root } from './install.mjs';

const bin = (path) => [process.execPath, join(root, 'node_modules', path)];

function run([command, ...args]) {
	return spawnSync(command, args, { cwd: root, stdio: 'inherit' }).status === 0;
}

const passed = [];
const failed = [];

function step(name, work) {
	console.log(`\n— ${name}`);
	const startedAt = Date.now();
	(work() ? passed : failed).push(name);
	console.log(`  ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
}

const results = mkdtempSync(join(tmpdir(), 'messaging-gateway-results-'));
const jestResults = join(results, 'jest.json');
const jest = ['--json', `--outputFile=${jestResults}`, '--silent', ...process.argv.slice(2)];

ensureInstalled();
step('Types', () => run([...bin('typescript/bin/tsc'), '--noEmit']));
step('Build', () => run([...bin('gulp/bin/gulp.js'), 'build', '--silent']));
step('Lint', () => run([...bin('eslint/bin/eslint.js'), '--max-warnings', '0', '.']));
step('Format', () =>
	run([...bin('prettier/bin/prettier.cjs'), '--check', '--log-level', 'warn', '.']),
);
step("n8n's verification", () => run([process.execPath, join(root, 'tools/verify.mjs')]));
step('Tests', () => run([...bin('jest/bin/jest.js'), ...jest]));

const counts = existsSync(jestResults)
	? JSON.parse(readFileSync(jestResults, 'utf8'))
	: { numPassedTests: 0, numFailedTests: 0 };
rmSync(results, { recursive: true, force: true });

if (failed.length > 0) console.log(`\nNot passed: ${failed.join(', ')}`);
const stepsFailed = failed.filter((name) => name !== 'Tests' || counts.numFailedTests === 0).length;
console.log(
	`\n${counts.numPassedTests + passed.length} passed, ${counts.numFailedTests + stepsFailed} failed`,
);
process.exitCode = failed.length > 0 ? 1 : 0;
