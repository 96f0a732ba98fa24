// `node test/simulation/main.mjs`: 100,000 scenarios of the sending engine in virtual time. --scenarios=…, --seed=… repeats them.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ensureInstalled, root } from '../../dev/tools/install.mjs';

ensureInstalled();
const folder = mkdtempSync(join(tmpdir(), 'messaging-gateway-simulation-'));
const { bundle } = await import('./bundle.mjs');
const program = join(folder, 'simulation.cjs');
bundle(root, program);
const { status } = spawnSync(process.execPath, [program, ...process.argv.slice(2)], {
	stdio: 'inherit',
});
rmSync(folder, { recursive: true, force: true });
process.exitCode = status ?? 1;
