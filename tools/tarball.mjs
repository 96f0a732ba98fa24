import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { root } from './install.mjs';

/** What npm would publish, as a file in that folder. */
export function pack(folder) {
	const shell = process.platform === 'win32';
	const packed = execFileSync('npm', ['pack', '--json', '--pack-destination', folder], {
		cwd: root,
		shell,
		stdio: ['ignore', 'pipe', 'ignore'],
	});
	const [{ filename, size, files }] = Object.values(JSON.parse(packed));
	return { tarball: join(folder, filename), size, files };
}

export function unpack(tarball, folder) {
	mkdirSync(folder, { recursive: true });
	execFileSync('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1']);
}
