import { spawnSync } from 'node:child_process';
import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmdirSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

const ATTEMPTS = 100;

/**
 * Locks a path for this process. Returns a function that releases the lock, or undefined if another process holds it.
 *
 * The lock is a folder next to the path, with a file that is named after the process that holds it. To take the lock, a process
 * moves its own folder there, which fails unless that one is missing or empty. So only one process can take it, and what others
 * remove of a dead process is never the file of a live one. Only this user can write there: anyone can listen on a port.
 * @param {string} path
 */
export function acquireLock(path) {
	const lock = `${path}.lock`;
	const own = `${process.pid}.${startOf(process.pid)}`;
	mkdirSync(dirname(lock), { recursive: true, mode: 0o700 });
	const claim = mkdtempSync(`${lock}.`);
	try {
		writeFileSync(join(claim, own), '');
		for (let attempt = 1; ; attempt += 1) {
			try {
				const holders = existsSync(lock) ? readdirSync(lock) : [];
				if (holders.some(isRunning)) return undefined;
				for (const holder of holders) rmSync(join(lock, holder), { recursive: true, force: true });
				// Windows moves no folder to the place of another one.
				if (existsSync(lock)) rmdirSync(lock);
				renameSync(claim, lock);
				return () => rmSync(join(lock, own), { force: true });
			} catch (error) {
				// Usually, another process was faster.
				if (attempt === ATTEMPTS) throw error;
			}
		}
	} finally {
		rmSync(claim, { recursive: true, force: true });
	}
}

/** @param {string} holder */
function isRunning(holder) {
	const [pid, start] = holder.split('.');
	return startOf(Number(pid)) === start;
}

/**
 * When a process of this user started, or undefined if it does not run. Systems use the ID of a process again after it has ended.
 * On Windows, which has no short way to find out, every process with this ID counts as the same one.
 * @param {number} pid
 */
function startOf(pid) {
	try {
		process.kill(pid, 0);
		return process.platform === 'linux' ? startOnLinux(pid) : startFromPs(pid);
	} catch {
		return undefined;
	}
}

/** @param {number} pid */
function startOnLinux(pid) {
	const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
	// The name of the program is in parentheses, and can contain anything.
	const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
	// A zombie has ended, but its parent has not asked for the exit code.
	return state === 'Z' ? undefined : fields[18];
}

/** @param {number} pid */
function startFromPs(pid) {
	const env = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' };
	const { stdout } = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
		env,
		encoding: 'utf8',
	});
	return String(Date.parse(`${stdout} UTC`));
}
