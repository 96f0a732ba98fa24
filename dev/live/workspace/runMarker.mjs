import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** @param {string} home */
const fileIn = (home) => join(home, 'running');

/**
 * Marks the data in `home` as in use until markStopped(). Returns whether it was marked already: then the last run was killed or
 * crashed. The lock does not tell this: a start that was killed during the installation leaves one, too.
 * @param {string} home
 */
export function markRunning(home) {
	const wasMarked = existsSync(fileIn(home));
	writeFileSync(fileIn(home), '');
	return wasMarked;
}

/** @param {string} home */
export function markStopped(home) {
	rmSync(fileIn(home), { force: true });
}
