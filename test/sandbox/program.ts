import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(__dirname, '..', '..');

export interface Program {
	process: ChildProcess;
	/** All it has printed so far. */
	output: () => string;
	/** Exit code, or the signal that ended it. */
	end: Promise<number | string>;
}

export const KEYS = { token: 'tok-123', secret: 'sandbox-secret' };

/** A folder with known keys in it, as an earlier start would have left it. */
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

/** The process that can be killed is the sandbox itself. */
export function runMain(args: string[]): Program {
	return run(['--import', 'tsx', join('sandbox', 'main.ts'), ...args]);
}

export function runTool(args: string[]): Program {
	return run([join('tools', 'sandbox.mjs'), ...args]);
}

function run(args: string[]): Program {
	const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
	let output = '';
	child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
	child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
	const end = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | string);
	return { process: child, output: () => output, end };
}

export async function untilPrinted(program: Program, text: string): Promise<void> {
	const over = program.end.then((end) => {
		throw new Error(`Ended with ${end} before printing "${text}":\n${program.output()}`);
	});
	const printed = (async () => {
		while (!program.output().includes(text)) await new Promise((done) => setTimeout(done, 20));
	})();
	await Promise.race([printed, over]);
}
