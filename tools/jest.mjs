import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { root } from './install.mjs';
import { readJson } from './jsonFile.mjs';

/**
 * Runs Jest and returns the number of tests that passed and failed.
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 */
export function jest(args, env = {}) {
	const folder = mkdtempSync(join(tmpdir(), 'messaging-gateway-results-'));
	const results = join(folder, 'jest.json');
	const program = join(root, 'node_modules/jest/bin/jest.js');
	const { status } = spawnSync(
		process.execPath,
		[program, '--json', `--outputFile=${results}`, ...args],
		{ cwd: root, stdio: 'inherit', env: { ...process.env, ...env } },
	);
	const { passed, failed } = countsIn(results);
	rmSync(folder, { recursive: true, force: true });
	// Jest also fails without a failed test, for example when no test matches or the global setup throws.
	return { passed, failed: status === 0 ? failed : Math.max(failed, 1) };
}

/** @param {string} results */
function countsIn(results) {
	const counts = /** @type {{ numFailedTests: number, numPassedTests: number } | undefined} */ (
		readJson(results)
	);
	return { failed: counts?.numFailedTests ?? 0, passed: counts?.numPassedTests ?? 0 };
}
