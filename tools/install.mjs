import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const root = resolve(import.meta.dirname, '..');

/** Ends with one clear line where Node is too old; installs what the lockfile names where it is missing. */
export function ensureInstalled() {
	const [major, minor] = process.versions.node.split('.').map(Number);
	if (major < 20 || (major === 20 && minor < 19)) {
		console.error(`Node ${process.versions.node} is too old: please use 20.19 or newer.`);
		process.exit(1);
	}
	if (isInstalled()) return;
	console.log('Installing what is missing (a minute or so) …');
	const shell = process.platform === 'win32';
	const { status } = spawnSync('npm', ['ci', '--loglevel', 'error'], {
		cwd: root,
		stdio: 'inherit',
		shell,
	});
	if (status === 0) return;
	console.error(
		'npm ci did not succeed. Check the network and the space on the disk, then run this again.',
	);
	process.exit(1);
}

/** npm leaves a copy of the lockfile that it installed from; where ours is newer, something is missing. */
function isInstalled() {
	const installed = join(root, 'node_modules/.package-lock.json');
	const lockfile = join(root, 'package-lock.json');
	return existsSync(installed) && statSync(installed).mtimeMs >= statSync(lockfile).mtimeMs;
}
