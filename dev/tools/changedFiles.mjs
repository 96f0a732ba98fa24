import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { root } from './install.mjs';

/** @param {...string} args */
function git(...args) {
	const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
	if (status !== 0) return undefined;
	return stdout.split('\0').filter((path) => path && existsSync(join(root, path)));
}

/** All files of the project, as paths from its root. Undefined without a repository. */
export const allFiles = () => git('ls-files', '-z', '--cached', '--others', '--exclude-standard');

/** The files that differ from the last commit. Undefined without a repository. */
export function changedFiles() {
	const changed = git('diff', '-z', '--name-only', '--relative', 'HEAD');
	const added = git('ls-files', '-z', '--others', '--exclude-standard');
	return changed && added && [...changed, ...added];
}
