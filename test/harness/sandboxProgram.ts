import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(__dirname, '..', '..');

export interface Program {
	process: ChildProcess;
	/** Everything printed so far. */
	output: () => string;
	/** The exit code, or the signal that ended the program. */
	end: Promise<number | string>;
}

export const KEYS = { token: 'tok-123', secret: 'sandbox-secret' };

/** A folder with known keys, as after an earlier start. */
export function folderWithKeys(): string {
	const folder = emptyFolder();
	writeFileSync(join(folder, 'account.json'), JSON.stringify(KEYS));
	return folder;
}

export function emptyFolder(): string {
	return mkdtempSync(join(tmpdir(), 'sandbox-test-'));
}

export async function freePort(): Promise<number> {
	const server = createServer().listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	server.close();
	await once(server, 'close');
	return port;
}

/** Not `npm run sandbox`, which installs dependencies. See test/tools/install.test.ts for that command. */
export function runMain(args: string[]): Program {
	const child = spawn(
		process.execPath,
		['--import', 'tsx', join('dev/sandbox', 'main.ts'), ...args],
		{
			cwd: root,
			stdio: ['ignore', 'pipe', 'pipe'],
		},
	);
	let output = '';
	child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
	child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
	const end = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | string);
	return { process: child, output: () => output, end };
}

/** The value that the program printed next to a label. */
export function printedValue(program: Program, label: string): string {
	return new RegExp(`${label} +(\\S+)`).exec(program.output())?.[1] ?? '';
}

export async function untilPrinted(program: Program, text: string): Promise<void> {
	let hasEnded = false;
	const ended = program.end.then((end) => {
		hasEnded = true;
		throw new Error(`Ended with ${end} before printing "${text}":\n${program.output()}`);
	});
	const printed = (async () => {
		while (!hasEnded && !program.output().includes(text)) {
			await new Promise((done) => setTimeout(done, 20));
		}
	})();
	await Promise.race([printed, ended]);
}
