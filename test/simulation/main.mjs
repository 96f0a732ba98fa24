// `node test/simulation/main.mjs`: 100,000 scenarios of the sending engine in virtual time. --scenarios=…, --seed=… repeats them.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ensureInstalled, root } from '../../dev/tools/install.mjs';

ensureInstalled();
const folder = mkdtempSync(join(tmpdir(), 'messaging-gateway-simulation-'));
const { bundle } = await import('./bundle.mjs');
const [first, ...rest] = process.argv.slice(2);
const isWorkers = first === 'workers';
bundle(root, join(folder, 'simulation.cjs'), isWorkers ? 'workersCommand.ts' : 'command.ts');
const { status } = spawnSync(
	process.execPath,
	[join(folder, 'simulation.cjs'), ...(isWorkers ? rest : process.argv.slice(2))],
	{ stdio: 'inherit' },
);
rmSync(folder, { recursive: true, force: true });
process.exitCode = status ?? 1;
