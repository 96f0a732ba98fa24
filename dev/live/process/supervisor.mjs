// node supervisor.mjs STOP_TIMEOUT_MS private|shared PROGRAM ARGUMENTS… runs a program and ends it, with all its child
// processes, when it exits, on SIGTERM, and when the parent process is gone, even after kill -9: the system then closes this
// standard input. Any data on the standard input means: kill the program now. 'private': other users cannot read the files
// that the program creates.
import { spawn, spawnSync } from 'node:child_process';
import { constants } from 'node:os';

const isWindows = process.platform === 'win32';

const [stopTimeoutMs, access, command = '', ...args] = process.argv.slice(2);
if (access === 'private') process.umask(0o077);
const program = spawn(command, args, {
	stdio: ['ignore', 'inherit', 'inherit'],
	// Its own process group: killAll() reaches the program's children, and Ctrl+C does not reach the program.
	detached: !isWindows,
	windowsHide: true,
	// On Windows npm is a batch file.
	shell: isWindows && command === 'npm',
});

/** Also kills children that outlive the program. */
function killAll() {
	const { pid } = program;
	// The program did not start.
	if (pid === undefined) return;
	if (isWindows) {
		spawnSync('taskkill', ['/pid', String(pid), '/T', '/F']);
		return;
	}
	try {
		process.kill(-pid, 'SIGKILL');
	} catch (error) {
		if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ESRCH') throw error;
	}
}

function stop() {
	if (isWindows) return killAll();
	program.kill('SIGTERM');
	setTimeout(killAll, Number(stopTimeoutMs)).unref();
}

process.stdin.on('data', killAll).on('end', stop).on('error', stop);
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, stop);
// Ctrl+C reaches every process in the terminal. Only the parent decides whether to stop.
process.on('SIGINT', () => {});

program.on('error', ({ message }) => {
	console.error(message);
	process.exit(127);
});
program.on('exit', (code, signal) => {
	killAll();
	// As a shell reports it.
	process.exit(signal ? 128 + constants.signals[signal] : (code ?? 1));
});
