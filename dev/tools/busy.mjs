// `node dev/tools/busy.mjs`: runs the tests repeatedly on a busy machine, to find those that depend on its speed.
// --loops=4 processes that use all the CPU they get, --runs=10, --minutes=120 at most. Other arguments are test paths.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
// parseArgs is not a named import: Node versions that are too old lack it, and must get as far as requireNode().
import util from 'node:util';

import { requireNode, root } from './install.mjs';
import { readJson } from './jsonFile.mjs';

requireNode();
const { values, positionals } = util.parseArgs({
	options: {
		loops: { type: 'string', default: '4' },
		runs: { type: 'string', default: '10' },
		minutes: { type: 'string', default: '120' },
	},
	allowPositionals: true,
});
const runs = Number(values.runs);
const end = Date.now() + Number(values.minutes) * 60_000;

/** Ends with this process, however that ends. */
const LOOP = 'const { ppid } = process; while (process.ppid === ppid);';
const loops = Array.from({ length: Number(values.loops) }, () =>
	spawn(process.execPath, ['-e', LOOP]),
);

const folder = mkdtempSync(join(tmpdir(), 'messaging-gateway-busy-'));
let passedRuns = 0;
for (let run = 1; run <= runs; run++) {
	const startedAt = Date.now();
	const failures = failuresOf(join(folder, `${run}.json`));
	if (failures.length === 0) passedRuns += 1;
	const seconds = Math.round((Date.now() - startedAt) / 1000);
	console.log(`Run ${run} of ${runs}: ${failures.length} failed, ${seconds} s`);
	for (const failure of failures) console.log(`  ${failure}`);
	if (Date.now() >= end) break;
}
rmSync(folder, { recursive: true, force: true });
for (const loop of loops) loop.kill();
console.log(`${passedRuns} of ${runs} runs passed.`);
process.exitCode = passedRuns === runs ? 0 : 1;

/**
 * Runs Jest, and returns which tests failed and why.
 * @param {string} file
 * @returns {string[]}
 */
function failuresOf(file) {
	const { status } = spawnSync(
		process.execPath,
		[
			join(root, 'node_modules/jest/bin/jest.js'),
			...['--silent', '--json', `--outputFile=${file}`, ...positionals],
		],
		{ cwd: root, stdio: 'ignore', timeout: Math.max(1, end - Date.now()) },
	);
	if (status === null) return ['The time is up.'];
	const results = /** @type {Results | undefined} */ (readJson(file));
	const failures = (results?.testResults ?? []).flatMap((suite) => {
		const tests = suite.assertionResults
			.filter((test) => test.status === 'failed')
			.map((test) => `${test.fullName}\n${test.failureMessages.join('\n')}`);
		if (suite.status === 'failed' && tests.length === 0) tests.push(suite.message);
		return tests.map((test) => `${suite.name.replace(`${root}/`, '')}: ${test}`);
	});
	return status !== 0 && failures.length === 0 ? ['Jest failed.'] : failures;
}

/**
 * @typedef {{
 *   testResults: Array<{
 *     name: string,
 *     status: string,
 *     message: string,
 *     assertionResults: Array<{ fullName: string, status: string, failureMessages: string[] }>,
 *   }>
 * }} Results
 */
