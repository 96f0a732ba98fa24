import { chmodSync, lstatSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { UserError } from '../../tools/userError.mjs';

const OTHER_USERS = 0o077;

/**
 * Creates a folder that other users cannot read. Closes an existing one, with everything in it: earlier versions created
 * folders and logs with the default permissions. Whoever could write there may have left a link that leads the logs elsewhere.
 * @param {string} folder
 */
export function makePrivate(folder) {
	mkdirSync(folder, { recursive: true, mode: 0o700 });
	if (process.platform === 'win32' || !(statSync(folder).mode & OTHER_USERS)) return;
	closeToOthers(folder);
	for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
		const path = join(entry.parentPath, entry.name);
		requireOwn(path);
		if (entry.isFile() || entry.isDirectory()) closeToOthers(path);
	}
}

/** @param {string} path */
function requireOwn(path) {
	if (lstatSync(path).uid === process.getuid?.()) return;
	throw new UserError(`${path} belongs to another user. Delete it, then run npm start again.`);
}

/** @param {string} path */
function closeToOthers(path) {
	chmodSync(path, statSync(path).mode & 0o777 & ~OTHER_USERS);
}
