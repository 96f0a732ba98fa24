// `npm run test:live`: the node in a real n8n, in a real browser, with the sandbox beside it.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { findChromium } from './chromium.mjs';
import { ensureInstalled, root } from './install.mjs';

ensureInstalled();
const chromium = findChromium();
const folder = mkdtempSync(join(tmpdir(), 'messaging-gateway-results-'));
const results = join(folder, 'jest.json');

const { status } = spawnSync(
	process.execPath,
	[
		join(root, 'node_modules/jest/bin/jest.js'),
		'--config',
		join(root, 'test/live/jest.config.js'),
		'--json',
		`--outputFile=${results}`,
		...process.argv.slice(2),
	],
	{
		cwd: root,
		stdio: 'inherit',
		env: { ...process.env, CHROMIUM: chromium },
	},
);
console.log(`\n${summary()}`);
rmSync(folder, { recursive: true, force: true });
process.exitCode = status ?? 1;

function summary() {
	const { numFailedTests, numPassedTests } = counted();
	return `${numPassedTests} passed, ${numFailedTests} failed`;
}

/** Where n8n did not even start, jest writes nothing; that is one failure. */
function counted() {
	try {
		return JSON.parse(readFileSync(results, 'utf8'));
	} catch {
		return { numFailedTests: 1, numPassedTests: 0 };
	}
}
