// `npm run bench` and `node dev/bench/launch.mjs soak.ts`: builds the package and runs a file of this folder with the command-line arguments.
import { fork, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { ensureInstalled, root } from '../tools/install.mjs';

const [file = '', ...args] = process.argv.slice(2);
const LOAD_AVERAGE = loadavg()[1]?.toFixed(1);
ensureInstalled();
const gulp = join(root, 'node_modules/gulp/bin/gulp.js');
const build = spawnSync(process.execPath, [gulp, 'build', '--silent'], {
	cwd: root,
	stdio: 'inherit',
});
if (build.status !== 0) process.exit(1);

// n8n reads these variables while it loads. The temporary folder protects the developer's own n8n.
const home = mkdtempSync(join(tmpdir(), 'messaging-gateway-bench-'));
const child = fork(fileURLToPath(new URL(file, import.meta.url)), args, {
	execArgv: ['--expose-gc', '--import', import.meta.resolve('tsx')],
	env: { ...process.env, LOAD_AVERAGE, N8N_USER_FOLDER: home, N8N_LOG_LEVEL: 'silent' },
});
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => child.kill());
child.on('exit', (code) => {
	// With retries: a file that is still being written can make the folder non-empty again.
	rmSync(home, { recursive: true, force: true, maxRetries: 10 });
	process.exit(code ?? 1);
});
