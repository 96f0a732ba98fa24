import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { sendRequest } from '../harness/client';
import { FROM_PAGE } from '../harness/eventStream';
import {
	emptyFolder,
	folderWithKeys,
	KEYS,
	freePort,
	printedValue as line,
	type Program,
	runMain,
	untilPrinted,
} from '../harness/sandboxProgram';

async function start(...args: string[]): Promise<Program> {
	const program = runMain(args);
	await untilPrinted(program, args.includes('--quiet') ? 'http://127.0.0.1:' : 'Ctrl+C');
	return program;
}

async function stop(program: Program, signal: NodeJS.Signals = 'SIGTERM') {
	program.process.kill(signal);
	expect(await program.end).toBe(0);
}

it('prints the credential and keeps it across restarts', async () => {
	const folder = join(emptyFolder(), 'new');
	const port = await freePort();
	const args = ['--port', String(port), '--folder', folder];
	const first = await start(...args);
	const [token, secret] = [line(first, 'Token'), line(first, 'Secret')];
	expect(line(first, 'Base URL')).toBe(`http://127.0.0.1:${port}`);
	expect((await sendRequest(line(first, 'Phone'))).body.toString()).toContain('Sandbox phone');
	const account = readFileSync(join(folder, 'account.json'), 'utf8');
	expect(JSON.parse(account)).toEqual({ token, secret });
	for (const file of ['account.json', `port-${port}.jsonl`]) {
		expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
	}

	const status = async () =>
		(await sendRequest(`http://127.0.0.1:${port}/api/whatsapp/${token}/status`)).json.status;
	expect(await status()).toBe('DISCONNECTED');
	execFileSync('sh', ['-c', /^curl.*/m.exec(first.output())![0]]);
	expect(await status()).toBe('ONLINE');
	await stop(first);

	const second = await start(...args);
	expect([line(second, 'Token'), line(second, 'Secret')]).toEqual([token, secret]);
	expect(await status()).toBe('ONLINE');
	await stop(second, 'SIGINT');

	const paired = await start(...args, '--fresh', '--paired');
	expect(await status()).toBe('ONLINE');
	expect(paired.output()).toContain('The phone is paired and online.');
	await stop(paired);
});

it('prints no secret with --quiet, and has a new control key at each start', async () => {
	const args = ['--quiet', '--folder', folderWithKeys(), '--port', String(await freePort())];
	const keys = new Set<string>();
	for (let times = 0; times < 2; times += 1) {
		const program = await start(...args);
		const url = `${program.output().trim()}/_sandbox/phone/key`;
		const key = (await sendRequest(url, { headers: FROM_PAGE })).body.toString();
		await stop(program);
		expect(key).toMatch(/^[\w-]{24}$/);
		keys.add(key);
		for (const secret of [key, KEYS.token, KEYS.secret]) {
			expect(program.output()).not.toContain(secret);
		}
	}
	expect(keys.size).toBe(2);
}, 60_000);
