import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Not import.meta.dirname: a Node that is too old has none, and should get to read that it is.
export const root = fileURLToPath(new URL('..', import.meta.url));

/** Ends with one clear line where Node is too old. */
export function requireNode() {
	const [major, minor] = process.versions.node.split('.').map(Number);
	if (major > 20 || (major === 20 && minor >= 19)) return;
	console.error(`Node ${process.versions.node} is too old: please use 20.19 or newer.`);
	process.exit(1);
}

/** Installs what the lockfile names where it is missing. */
export function ensureInstalled() {
	requireNode();
	if (isInstalled(root)) return;
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

/** npm leaves a list of what it installed; where what it went by is newer, something is missing. */
export function isInstalled(folder) {
	const installed = join(folder, 'node_modules/.package-lock.json');
	return existsSync(installed) && statSync(installed).mtimeMs >= statSync(orderOf(folder)).mtimeMs;
}

/** What npm goes by: the lockfile, or package.json where there is none. */
export function orderOf(folder) {
	const lockfile = join(folder, 'package-lock.json');
	return existsSync(lockfile) ? lockfile : join(folder, 'package.json');
}
