// `node dev/tools/fuzz.mjs`: 100,000 hostile responses and parameters, and 100 responses of up to 16 MB. FUZZ_SEED=… repeats a run.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { ensureInstalled, root } from './install.mjs';

ensureInstalled();
const { status } = spawnSync(
	process.execPath,
	[join(root, 'node_modules/jest/bin/jest.js'), 'test/fuzz', ...process.argv.slice(2)],
	{
		cwd: root,
		stdio: 'inherit',
		env: { FUZZ_CASES: '100000', TEST_DEPTH: 'deep', ...process.env },
	},
);
process.exitCode = status ?? 1;
