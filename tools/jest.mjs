import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { root } from './install.mjs';

/** Runs Jest with that configuration, and counts. */
export function jest(config, { args = [], env = {} } = {}) {
	const folder = mkdtempSync(join(tmpdir(), 'messaging-gateway-results-'));
	const results = join(folder, 'jest.json');
	const program = join(root, 'node_modules/jest/bin/jest.js');
	const { status } = spawnSync(
		process.execPath,
		[program, '--config', join(root, config), '--json', `--outputFile=${results}`, ...args],
		{ cwd: root, stdio: 'inherit', env: { ...process.env, ...env } },
	);
	const counts = counted(results);
	rmSync(folder, { recursive: true, force: true });
	return { ...counts, isPassed: status === 0 };
}

/** Where n8n did not even start, Jest writes nothing; that is one failure. */
function counted(results) {
	try {
		const { numFailedTests, numPassedTests } = JSON.parse(readFileSync(results, 'utf8'));
		return { failed: numFailedTests, passed: numPassedTests };
	} catch {
		return { failed: 1, passed: 0 };
	}
}
