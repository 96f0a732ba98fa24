import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/sandbox';

const root = join(__dirname, '../..');
export const TOKEN = 'token-of-the-account';
export const SECRET = 'secret-of-the-account';

let folder: string;
export let sandbox: Sandbox;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'check-gateway-'));
});
afterEach(async () => {
	await sandbox?.close();
	rmSync(folder, { recursive: true });
});

/** A sandbox that is online. */
export async function start(options: SandboxOptions = {}): Promise<Sandbox> {
	sandbox = await startSandbox({ token: TOKEN, secret: SECRET, ...options });
	sandbox.setStatus('ONLINE');
	return sandbox;
}

export interface Checked {
	code: number;
	output: string;
	report: string;
	/** The answer in the report to the question that contains this text. */
	answer: (question: string) => string;
	/** Whether the report says that it differs. */
	differs: (question: string) => boolean;
}

/** Runs the command with these lines as its input. Without token and secret in the environment, it asks for them. */
export async function check(
	baseUrl: string,
	input: string[] = [],
	env: NodeJS.ProcessEnv = { GATEWAY_TOKEN: TOKEN, GATEWAY_SECRET: SECRET },
): Promise<Checked> {
	const file = join(folder, 'report.md');
	const program = spawn(
		process.execPath,
		[join(root, 'tools/checkGateway.mjs'), baseUrl, '--report', file],
		{ cwd: folder, env: { PATH: process.env.PATH, ...env }, stdio: 'pipe' },
	);
	let output = '';
	for (const stream of [program.stdout, program.stderr]) {
		stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
	}
	program.stdin.end(input.map((line) => `${line}\n`).join(''));
	const [code] = (await once(program, 'close')) as [number];
	const report = read(file);
	const section = (question: string) =>
		report.split('\n## ').find((text) => text.split('\n')[0]!.includes(question)) ?? '';
	return {
		code,
		output,
		report,
		answer: (question) => section(question).split('\n')[2] ?? '',
		differs: (question) => section(question).includes('**Differs**'),
	};
}

function read(file: string): string {
	try {
		return readFileSync(file, 'utf8');
	} catch {
		return '';
	}
}

export const delivered = () =>
	sandbox.state().delivered.map(({ chatId, text }) => ({ chatId, text }));
