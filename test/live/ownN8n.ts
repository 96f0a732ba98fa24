import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const START_TIMEOUT_MS = 180_000;

/**
 * Starts an n8n for the tests of a file, whose workflows other tests do not change. `script` gets its home as an argument;
 * `onStarted` gets what it has printed when it matches `started`.
 */
export function useOwnN8n(
	script: string,
	started: RegExp,
	onStarted: (printed: string) => Promise<void> | void,
): void {
	let home: string;
	let program: ChildProcess;

	beforeAll(async () => {
		home = mkdtempSync(join(tmpdir(), 'messaging-gateway-own-'));
		program = spawn(process.execPath, ['--input-type=module', '--eval', script, home], {
			stdio: ['pipe', 'pipe', 'inherit'],
		});
		let printed = '';
		for await (const chunk of program.stdout!) {
			printed += String(chunk);
			if (started.test(printed)) break;
		}
		await onStarted(printed);
	}, START_TIMEOUT_MS);

	afterAll(async () => {
		const exited = program.exitCode ?? once(program, 'exit');
		program.kill('SIGTERM');
		await exited;
		rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
	});
}
