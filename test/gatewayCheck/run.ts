import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type Sandbox, type SandboxOptions, startSandbox } from '../../dev/sandbox/sandbox';

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

/** Runs the command with these lines as its input. Without token and secret in the environment, it asks for them. */
export async function check(
	baseUrl: string,
	input: string[] = [],
	env: NodeJS.ProcessEnv = { GATEWAY_TOKEN: TOKEN, GATEWAY_SECRET: SECRET },
) {
	const file = join(folder, 'report.md');
	// Not `npm run check-gateway`, which installs dependencies.
	const args = ['--import', 'tsx', 'dev/gatewayCheck/main.ts', baseUrl, '--report', file];
	const program = spawn(process.execPath, args, {
		...{ cwd: root, stdio: 'pipe' },
		env: { PATH: process.env.PATH, ...env },
	});
	let output = '';
	for (const stream of [program.stdout, program.stderr]) {
		stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
	}
	program.stdin.end(input.map((line) => `${line}\n`).join(''));
	const [code] = (await once(program, 'close')) as [number];
	const report = existsSync(file) ? readFileSync(file, 'utf8') : '';
	const section = (question: string) =>
		report.split('\n## ').find((text) => text.split('\n')[0]!.includes(question)) ?? '';
	return {
		code,
		output,
		report,
		/** The answer in the report to the question that contains this text. */
		answer: (question: string) => section(question).split('\n')[2] ?? '',
		differs: (question: string) => section(question).includes('**Differs**'),
	};
}

export const delivered = () =>
	sandbox.state().delivered.map(({ chatId, text }) => ({ chatId, text }));
