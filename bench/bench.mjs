// `npm run bench`: measures the built package beside what could be there in its place. --quick: less of everything.
import { fork, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { ensureInstalled, root } from '../tools/install.mjs';

ensureInstalled();

const gulp = join(root, 'node_modules/gulp/bin/gulp.js');
const build = spawnSync(process.execPath, [gulp, 'build', '--silent'], {
	cwd: root,
	stdio: 'inherit',
});
if (build.status !== 0) process.exit(1);

const main = fileURLToPath(new URL('main.ts', import.meta.url));
const bench = fork(main, process.argv.slice(2), {
	execArgv: ['--expose-gc', '--import', import.meta.resolve('tsx')],
});
bench.on('exit', (code) => process.exit(code ?? 1));
