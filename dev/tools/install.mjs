import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { readJson } from './jsonFile.mjs';

// Not import.meta.dirname: Node versions that are too old lack it, and must get as far as requireNode().
export const root = fileURLToPath(new URL('../..', import.meta.url));

/** Exits with a clear message when Node is too old. */
export function requireNode() {
	const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
	if (major > 20 || (major === 20 && minor >= 19)) return;
	console.error(`Node ${process.versions.node} is too old. Install Node 20.19 or later.`);
	process.exit(1);
}

/** Installs the project's dependencies if they differ from the lockfile. Only for commands that the user starts, never for tests. */
export function ensureInstalled() {
	requireNode();
	if (isInstalled(root)) return;
	console.log('Installing dependencies (about a minute) …');
	const shell = process.platform === 'win32';
	const { status } = spawnSync('npm', ['ci', '--loglevel', 'error'], {
		cwd: root,
		stdio: 'inherit',
		shell,
	});
	if (status === 0) return;
	console.error('npm ci failed. Check your network connection and disk space, then try again.');
	process.exit(1);
}

/**
 * Whether node_modules holds what package-lock.json names. Compares contents, because a checkout or a copy changes file
 * times. False without a lockfile.
 * @param {string} folder
 */
export function isInstalled(folder) {
	const locked = packagesIn(join(folder, 'package-lock.json'));
	// npm writes this file last, so an interrupted installation has none.
	const installed = packagesIn(join(folder, 'node_modules/.package-lock.json'));
	if (!locked || !installed) return false;

	const isComplete = Object.entries(locked).every(
		// The entry '' is the project. npm skips optional packages for other platforms.
		([path, { optional }]) => path === '' || optional || path in installed,
	);
	const isCurrent = Object.entries(installed).every(
		([path, { version, integrity }]) =>
			version === locked[path]?.version && integrity === locked[path]?.integrity,
	);
	return isComplete && isCurrent;
}

/**
 * @typedef {{ version?: string, integrity?: string, optional?: boolean }} LockedPackage
 * @param {string} lockfile
 * @returns {Record<string, LockedPackage> | undefined}
 */
function packagesIn(lockfile) {
	const content = /** @type {{ packages: Record<string, LockedPackage> } | undefined} */ (
		readJson(lockfile)
	);
	return content?.packages;
}
