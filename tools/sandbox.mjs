// Starts the sandbox: node tools/sandbox.mjs [--port N] [--latency MS] [--fresh]
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { ensureInstalled } from './install.mjs';

ensureInstalled();

const main = fileURLToPath(new URL('../sandbox/main.ts', import.meta.url));
const sandbox = spawn(
	process.execPath,
	['--import', import.meta.resolve('tsx'), main, ...process.argv.slice(2)],
	{ stdio: 'inherit' },
);

// Ctrl+C reaches both processes, a kill only this one. Either way the sandbox is the one to end first.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
	process.on(signal, () => sandbox.kill(signal));
}

sandbox.on('exit', (code, signal) => {
	if (signal === null) process.exit(code ?? 1);
	process.removeAllListeners(signal);
	process.kill(process.pid, signal);
});
