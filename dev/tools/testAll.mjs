// `npm run test:all`: every test that exists, one part after the other, with a summary at the end. `-- live queue` runs these parts.
import { spawn } from 'node:child_process';

import { requireNode, root } from './install.mjs';

/** The programs of each part, in this order. Each ends with a line `N passed, N failed`. */
const PARTS = /** @type {Record<string, string[]>} */ ({
	test: ['dev/tools/test.mjs'],
	deep: ['dev/tools/testDeep.mjs'],
	mutations: ['dev/tools/mutations/main.mjs', 'dev/tools/mutations/simulation.mjs'],
	live: ['test/live/main.mjs'],
	queue: ['test/queue/main.mjs'],
	soak: ['dev/bench/launch.mjs soak.ts'],
	bench: ['dev/bench/launch.mjs bench.ts --quick', 'dev/bench/launch.mjs minimal.ts'],
	compat: ['test/compat/main.mjs'],
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
	for (const command of PARTS[name] ?? []) {
		console.log(`\n— ${name}: node ${command}\n`);
		const run = await countsOf(command);
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
 * Runs a program, prints its output, and returns the counts at its end. One that fails without a failed test counts as one.
 * @param {string} command
 */
async function countsOf(command) {
	const run = spawn(process.execPath, command.split(' '), {
		cwd: root,
		stdio: ['ignore', 'pipe', 'inherit'],
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
