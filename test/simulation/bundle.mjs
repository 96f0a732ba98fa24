import { join } from 'node:path';

import { buildSync } from 'esbuild';

/**
 * One file with the simulation and the engine, which runs several times as fast as through tsx.
 * @param {string} root
 * @param {string} outfile
 */
export function bundle(root, outfile) {
	buildSync({
		entryPoints: [join(root, 'test/simulation/command.ts')],
		absWorkingDir: root,
		outfile,
		bundle: true,
		platform: 'node',
		target: 'node20.19',
		logLevel: 'warning',
	});
}
