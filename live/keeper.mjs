// node keeper.mjs PATIENCE PROGRAM ARGUMENTS… runs a program and sees to it that nothing of it stays behind: when it ends, when it
// is asked to, and when the one who started this is gone, however that came. That is what the standard input is for:
// the system closes it even after kill -9. A word on it means: kill it, at once.
import { spawn, spawnSync } from 'node:child_process';

const windows = process.platform === 'win32';

const [patienceMs, command, ...args] = process.argv.slice(2);
const program = spawn(command, args, {
	stdio: ['ignore', 'inherit', 'inherit'],
	// A process group of its own, so that what the program started can be reached, and Ctrl+C cannot reach it.
	detached: !windows,
	windowsHide: true,
	// npm is a batch file there.
	shell: windows && command === 'npm',
});

/** Whatever the program started and left behind, too. */
function killAll() {
	if (windows) return spawnSync('taskkill', ['/pid', String(program.pid), '/T', '/F']);
	try {
		process.kill(-program.pid, 'SIGKILL');
	} catch (error) {
		if (error.code !== 'ESRCH') throw error;
	}
}

function stop() {
	if (windows) return killAll();
	program.kill('SIGTERM');
	setTimeout(killAll, Number(patienceMs)).unref();
}

process.stdin.on('data', killAll).on('end', stop).on('error', stop);
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, stop);
// Ctrl+C reaches everything in the terminal. Whether to stop is for the one who started this to say.
process.on('SIGINT', () => {});

program.on('error', ({ message }) => {
	console.error(message);
	process.exit(127);
});
program.on('exit', (code) => {
	killAll();
	process.exit(code ?? 1);
});
