import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const SUPERVISOR = fileURLToPath(new URL('supervisor.mjs', import.meta.url));

/**
 * @typedef {object} Program
 * @property {string} log The file with its output.
 * @property {boolean} hasExited
 * @property {Promise<number | null>} exited Resolves to the exit code.
 * @property {(line: string, timeoutMs?: number) => Promise<boolean>} printed
 *   Whether the program has printed this line. Resolves when it has, when it has exited, and after the timeout.
 * @property {() => Promise<void>} stop Sends SIGTERM, and kills the program after `stopTimeoutMs`.
 * @property {() => Promise<void>} kill Like kill -9, for the program and all its child processes.
 */

/** @type {Set<Program>} */
const running = new Set();

/**
 * Starts a program that writes its output to a file and never outlives this process. Other users can read neither the log nor
 * the files that the program creates, except with `isPrivate: false`.
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd: string, env: NodeJS.ProcessEnv, log: string, stopTimeoutMs?: number, isPrivate?: boolean }} options
 * @returns {Program}
 */
export function launch(command, args, { cwd, env, log, stopTimeoutMs = 15_000, isPrivate = true }) {
	mkdirSync(dirname(log), { recursive: true, mode: 0o700 });
	// A program of a run that was killed can still write to the old file, which may also have other permissions.
	rmSync(log, { force: true });
	const output = openSync(log, 'wx', 0o600);
	const supervisor = spawn(
		process.execPath,
		[SUPERVISOR, String(stopTimeoutMs), isPrivate ? 'private' : 'shared', command, ...args],
		{ cwd, env, stdio: ['pipe', output, output], windowsHide: true },
	);
	const stdin = /** @type {import('node:stream').Writable} */ (supervisor.stdin);
	closeSync(output);
	// Writing to a program that has exited fails with EPIPE.
	stdin.on('error', () => {});

	/** @type {Program} */
	const program = {
		log,
		hasExited: false,
		exited: new Promise((resolve) => {
			supervisor.once('exit', (code) => {
				program.hasExited = true;
				running.delete(program);
				resolve(code);
			});
		}),
		async printed(line, timeoutMs = Infinity) {
			const deadline = Date.now() + timeoutMs;
			while (!readLog(log).split('\n').includes(line)) {
				if (program.hasExited || Date.now() > deadline) return false;
				await delay(100);
			}
			return !program.hasExited;
		},
		async stop() {
			stdin.end();
			await program.exited;
		},
		async kill() {
			stdin.write('kill');
			await program.exited;
		},
	};
	running.add(program);
	return program;
}

export async function stopAll() {
	await Promise.all([...running].map((program) => program.stop()));
}

/** @param {string} log */
export function readLog(log) {
	return readFileSync(log, 'utf8');
}

/** @param {string} log */
export function lastLines(log, count = 12) {
	return readLog(log).trimEnd().split('\n').slice(-count).join('\n');
}
