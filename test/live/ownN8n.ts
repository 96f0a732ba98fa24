import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { live } from './live';
import { sandbox } from './sandbox';

const START_TIMEOUT_MS = 180_000;

/**
 * Starts an n8n for the tests of a file, whose workflows other tests do not change. `script` gets its home as an argument;
 * `onStarted` gets what it has printed when it matches `started`. The returned function sends a line to the script, and waits until it
 * has printed such a text.
 */
export function useOwnN8n(
	script: string,
	started: RegExp,
	onStarted: (printed: string) => Promise<void> | void,
	args: () => string[] = () => [],
) {
	let home: string;
	let program: ChildProcess;

	beforeAll(async () => {
		home = mkdtempSync(join(tmpdir(), 'messaging-gateway-own-'));
		program = spawn(process.execPath, ['--input-type=module', '--eval', script, home, ...args()], {
			stdio: ['pipe', 'pipe', 'inherit'],
		});
		await onStarted(await printedBy(program, started));
	}, START_TIMEOUT_MS);

	afterAll(async () => {
		const exited = program.exitCode ?? once(program, 'exit');
		program.kill('SIGTERM');
		await exited;
		rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
	});

	return async (line: string, printed: RegExp) => {
		program.stdin!.write(`${line}\n`);
		await printedBy(program, printed);
	};
}

async function printedBy(program: ChildProcess, pattern: RegExp): Promise<string> {
	let printed = '';
	for await (const chunk of program.stdout!.iterator({ destroyOnReturn: false })) {
		printed += String(chunk);
		if (pattern.test(printed)) break;
	}
	return printed;
}

const EMPTY = `
	const root = '${pathToFileURL(join(__dirname, '../../')).href}';
	const [, home, environment] = process.argv;
	const { installPackage } = await import(root + 'dev/live/n8n/communityPackage.mjs');
	const { ownerOf } = await import(root + 'dev/live/n8n/owner.mjs');
	const { startN8n } = await import(root + 'dev/live/n8n/startN8n.mjs');
	const { freePort } = await import(root + 'dev/live/process/freePort.mjs');
	const { signIn } = await import(root + 'test/live/session.mjs');
	await installPackage(home);
	const port = await freePort(18_778);
	const brokerPort = await freePort(port + 1);
	const owner = ownerOf(home);
	const start = () => startN8n({ home, port, brokerPort, owner, environment: JSON.parse(environment) });
	let n8n = await start();
	console.log('Started ' + JSON.stringify({ url: n8n.url, cookie: await signIn(n8n.url, owner) }));
	for await (const line of process.stdin) {
		await n8n.program.stop();
		n8n = await start();
		console.log('Restarted');
	}`;

/**
 * Starts an n8n with the package and nothing else. All tests of the file use it, with the same gateway as the others. Returns what
 * restarts it.
 */
export function useEmptyN8n(environment: () => Record<string, string> = () => ({})) {
	const started = /^Started (.*)\n/m;
	const onStarted = async (printed: string) => {
		const { url, cookie } = JSON.parse(started.exec(printed)![1]!) as Record<
			'url' | 'cookie',
			string
		>;
		Object.assign(live, { cookie, workflows: {} });
		live.urls.n8n = url;
		await sandbox.reset();
		await sandbox.setStatus('ONLINE');
	};
	const command = useOwnN8n(EMPTY, started, onStarted, () => [JSON.stringify(environment())]);
	return { restart: async () => await command('restart', /^Restarted\n/m) };
}
