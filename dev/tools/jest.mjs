import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

import { root } from './install.mjs';
import { readJson } from './jsonFile.mjs';

/** In MB, also for the workers. With V8's default of 16, every seventh second was garbage collection. */
const YOUNG_OBJECTS = '--max-semi-space-size=64';

/**
 * Runs Jest, and returns how many tests passed and failed, the titles of those that ran, and how long each file took.
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 */
export async function jest(args, env = {}) {
	const folder = mkdtempSync(join(tmpdir(), 'messaging-gateway-results-'));
	const results = join(folder, 'jest.json');
	const program = join(root, 'node_modules/jest/bin/jest.js');
	const run = spawn(
		process.execPath,
		[YOUNG_OBJECTS, program, '--json', `--outputFile=${results}`, ...args],
		{ cwd: root, stdio: 'inherit', env: { ...process.env, ...env } },
	);
	const status = /** @type {number | null} */ (
		await new Promise((resolve) => run.once('exit', resolve))
	);
	const { passed, failed, titles, files } = read(results);
	rmSync(folder, { recursive: true, force: true });
	// Jest also fails without a failed test, for example when no test matches or the global setup throws.
	return { passed, failed: status === 0 ? failed : Math.max(failed, 1), titles, files };
}

/** @param {string} path */
function read(path) {
	const results = /** @type {Results | undefined} */ (readJson(path));
	const files = (results?.testResults ?? []).map(({ name, startTime, endTime }) => ({
		path: relative(root, name).replaceAll('\\', '/'),
		seconds: (endTime - startTime) / 1000,
	}));
	return {
		passed: results?.numPassedTests ?? 0,
		failed: results?.numFailedTests ?? 0,
		titles: (results?.testResults ?? [])
			.flatMap(({ assertionResults }) => assertionResults)
			.filter(({ status }) => status === 'passed' || status === 'failed')
			.map(({ fullName }) => fullName),
		files: files.sort((a, b) => b.seconds - a.seconds),
	};
}

/**
 * @typedef {{
 *   numPassedTests: number,
 *   numFailedTests: number,
 *   testResults: Array<{
 *     name: string,
 *     startTime: number,
 *     endTime: number,
 *     assertionResults: Array<{ fullName: string, status: string }>,
 *   }>,
 * }} Results
 */
