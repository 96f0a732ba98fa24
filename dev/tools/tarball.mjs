import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { root } from './install.mjs';

/**
 * @typedef {{ filename: string, size: number, files: Array<{ path: string, size: number }> }} Packed
 */

/**
 * Packs the package as npm would publish it. Returns the path and the contents of the tarball.
 * @param {string} folder
 */
export function pack(folder) {
	const shell = process.platform === 'win32';
	const output = execFileSync('npm', ['pack', '--json', '--pack-destination', folder], {
		cwd: root,
		shell,
		stdio: ['ignore', 'pipe', 'ignore'],
		encoding: 'utf8',
	});
	// An array or an object, depending on the version of npm.
	/** @type {unknown} */
	const result = JSON.parse(output);
	const [packed] = Object.values(/** @type {Record<string, Packed>} */ (result));
	if (!packed) throw new Error('npm pack packed nothing.');
	const { filename, size, files } = packed;
	return { tarball: join(folder, filename), size, files };
}

/**
 * @param {string} tarball
 * @param {string} folder
 */
export function unpack(tarball, folder) {
	mkdirSync(folder, { recursive: true });
	execFileSync('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1']);
}
