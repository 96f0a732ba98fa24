import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const OTHER_USERS = 0o077;

/**
 * Creates a folder that other users cannot read. Closes an existing one, with everything in it: earlier versions created
 * folders and logs with the default permissions.
 * @param {string} folder
 */
export function makePrivate(folder) {
	mkdirSync(folder, { recursive: true, mode: 0o700 });
	if (process.platform === 'win32' || !(statSync(folder).mode & OTHER_USERS)) return;
	closeToOthers(folder);
	for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
		if (entry.isFile() || entry.isDirectory()) closeToOthers(join(entry.parentPath, entry.name));
	}
}

/** @param {string} path */
function closeToOthers(path) {
	chmodSync(path, statSync(path).mode & 0o777 & ~OTHER_USERS);
}
