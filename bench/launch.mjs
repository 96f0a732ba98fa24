import { fork, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { ensureInstalled, root } from '../tools/install.mjs';

/**
 * Builds the package and runs a file of this folder with the command-line arguments.
 * @param {string} file
 */
export function launch(file) {
	ensureInstalled();
	const gulp = join(root, 'node_modules/gulp/bin/gulp.js');
	const build = spawnSync(process.execPath, [gulp, 'build', '--silent'], {
		cwd: root,
		stdio: 'inherit',
	});
	if (build.status !== 0) process.exit(1);

	const child = fork(fileURLToPath(new URL(file, import.meta.url)), process.argv.slice(2), {
		execArgv: ['--expose-gc', '--import', import.meta.resolve('tsx')],
	});
	child.on('exit', (code) => process.exit(code ?? 1));
}
