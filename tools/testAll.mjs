// `npm run test:all`: every test that exists, one part after the other, with a summary at the end. `-- live queue` runs these parts.
import { spawn } from 'node:child_process';

import { requireNode, root } from './install.mjs';

/** What each part runs, in this order. Each command ends with a line `N passed, N failed`. */
const PARTS = /** @type {Record<string, string[]>} */ ({
	test: ['test'],
	deep: ['test:deep'],
	mutations: ['mutations', 'simulate:mutations'],
	live: ['test:live'],
	queue: ['test:queue'],
	soak: ['soak'],
	bench: ['bench:quick'],
	compat: ['test:compat'],
});

requireNode();
const names = process.argv.slice(2);
const unknown = names.filter((name) => !(name in PARTS));
if (unknown.length > 0) {
	console.error(
		`There is no part ${unknown.join(', ')}. The parts: ${Object.keys(PARTS).join(', ')}.`,
	);
	process.exit(1);
}
const { TEST_SEED: seed = String(Math.floor(Math.random() * 2 ** 30)) } = process.env;
const chosen = Object.keys(PARTS).filter((name) => names.length === 0 || names.includes(name));
console.log(
	`Seed of the random tests: ${seed}. To repeat them: TEST_SEED=${seed} npm run test:all -- deep`,
);

/** @type {string[]} */
const summary = [];
let passed = 0;
let failed = 0;
for (const name of chosen) {
	const startedAt = Date.now();
	const counts = { passed: 0, failed: 0 };
	for (const script of PARTS[name] ?? []) {
		console.log(`\n— ${name}: npm run ${script}\n`);
		const run = await countsOf(script);
		counts.passed += run.passed;
		counts.failed += run.failed;
	}
	passed += counts.passed;
	failed += counts.failed;
	const minutes = ((Date.now() - startedAt) / 60_000).toFixed(1);
	const columns = [name.padEnd(10), `${minutes} min`.padStart(10)];
	summary.push(`${columns.join('')}  ${counts.passed} passed, ${counts.failed} failed`);
}
console.log(`\n— Summary (seed ${seed})\n\n${summary.join('\n')}`);
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;

/**
 * Runs a script, prints its output, and returns the counts at its end. A script that fails without a failed test counts as one.
 * @param {string} script
 */
async function countsOf(script) {
	const run = spawn('npm', ['run', '--silent', script], {
		cwd: root,
		stdio: ['ignore', 'pipe', 'inherit'],
		shell: process.platform === 'win32',
		env: { ...process.env, TEST_SEED: seed },
	});
	let last = '';
	run.stdout.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
		process.stdout.write(text);
		last = (last + text).slice(-10_000);
	});
	const status = /** @type {number | null} */ (
		await new Promise((resolve) => run.once('close', resolve))
	);
	const [, passed = '0', failed = '0'] =
		[...last.matchAll(/^(\d+) passed, (\d+) failed$/gm)].at(-1) ?? [];
	return { passed: Number(passed), failed: Math.max(Number(failed), Number(status !== 0)) };
}
