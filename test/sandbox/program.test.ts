import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { sendRequest } from '../harness/client';
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
import { FROM_PAGE } from '../harness/eventStream';

describe('npm run sandbox', () => {
	it('prints the credential and keeps it across restarts', async () => {
		const folder = join(emptyFolder(), 'new');
		const port = await freePort();
		const args = ['--port', String(port), '--folder', folder];
		const first = runMain(args);
		await untilPrinted(first, 'Ctrl+C');
		const [token, secret] = [line(first, 'Token'), line(first, 'Secret')];
		expect(line(first, 'Base URL')).toBe(`http://127.0.0.1:${port}`);
		const page = await sendRequest(line(first, 'Phone'));
		expect(page.body.toString()).toContain('Sandbox phone');
		expect((await sendRequest(`${line(first, 'Phone')}/page.js`)).status).toBe(200);
		expect(JSON.parse(readFileSync(join(folder, 'account.json'), 'utf8'))).toEqual({
			token,
			secret,
		});
		for (const file of ['account.json', `port-${port}.jsonl`]) {
			expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
		}

		const status = async () =>
			(await sendRequest(`http://127.0.0.1:${port}/api/whatsapp/${token}/status`)).json.status;
		expect(await status()).toBe('DISCONNECTED');
		const pairing = first
			.output()
			.split('\n')
			.find((printed) => printed.startsWith('curl')) as string;
		execFileSync('sh', ['-c', pairing]);
		expect(await status()).toBe('ONLINE');

		first.process.kill('SIGTERM');
		expect(await first.end).toBe(0);

		const second = runMain([...args, '--latency', '150']);
		await untilPrinted(second, 'Ctrl+C');
		expect([line(second, 'Token'), line(second, 'Secret')]).toEqual([token, secret]);
		const started = performance.now();
		expect(await status()).toBe('ONLINE');
		expect(performance.now() - started).toBeGreaterThanOrEqual(145);
		second.process.kill('SIGINT');
		expect(await second.end).toBe(0);

		const third = runMain([...args, '--fresh']);
		await untilPrinted(third, 'Ctrl+C');
		expect(line(third, 'Token')).toBe(token);
		expect(await status()).toBe('DISCONNECTED');
		third.process.kill('SIGTERM');
		expect(await third.end).toBe(0);
	});

	it('uses the next free port unless --port is given', async () => {
		const folder = folderWithKeys();
		const first = runMain(['--folder', folder]);
		await untilPrinted(first, 'Ctrl+C');
		const second = runMain(['--folder', folder]);
		await untilPrinted(second, 'Ctrl+C');
		const port = (program: Program) => Number(line(program, 'Base URL').split(':')[2]);
		expect(port(first)).toBeGreaterThanOrEqual(3021);
		expect(port(second)).toBeGreaterThan(port(first));

		const third = runMain(['--folder', folder, '--port', String(port(first))]);
		expect(await third.end).toBe(1);
		expect(third.output()).toContain('The port is already in use');
		for (const program of [first, second]) {
			program.process.kill('SIGTERM');
			expect(await program.end).toBe(0);
		}
	});

	it('starts with the phone paired and online with --paired', async () => {
		const folder = folderWithKeys();
		const port = await freePort();
		const args = ['--paired', '--folder', folder, '--port', String(port)];
		const state = async () => (await sendRequest(`http://127.0.0.1:${port}/_sandbox/state`)).json;
		for (const more of [[], ['--fresh']]) {
			const program = runMain([...args, ...more]);
			await untilPrinted(program, 'Ctrl+C');
			const { status, paired } = await state();
			const key = line(program, 'Control key');
			// The next start pairs the phone again.
			await sendRequest(`http://127.0.0.1:${port}/_sandbox/status`, {
				method: 'POST',
				headers: { 'Content-Type': 'application/json', 'X-Sandbox-Key': key },
				body: JSON.stringify({ status: 'AUTH_FAILURE' }),
			});
			const after = await state();
			program.process.kill('SIGTERM');
			expect(await program.end).toBe(0);
			expect([status, paired, after.status]).toEqual(['ONLINE', true, 'AUTH_FAILURE']);
			expect(program.output()).toContain('The phone is paired and online.');
			expect(program.output()).not.toContain('To pair the phone');
		}
	});

	it('prints no secret with --quiet', async () => {
		const folder = folderWithKeys();
		const program = runMain(['--quiet', '--folder', folder, '--port', String(await freePort())]);
		await untilPrinted(program, 'http://127.0.0.1:');
		const page = program.output().trim();
		const url = `${page}/_sandbox/phone/key`;
		const key = (await sendRequest(url, { headers: FROM_PAGE })).body.toString();
		program.process.kill('SIGTERM');
		expect(await program.end).toBe(0);
		expect(key).toMatch(/^[\w-]{24}$/);
		for (const secret of [key, KEYS.token, KEYS.secret]) {
			expect(program.output()).not.toContain(secret);
		}
	}, 60_000);

	it.each([
		[['--port', 'x'], '--port takes a whole number'],
		[['--latency', '-1'], '--latency'],
		[['--what'], "Unknown option '--what'. For help, use --help.\n"],
	])('prints a short error for %j', async (args, message) => {
		const program = runMain(args);
		expect(await program.end).toBe(1);
		expect(program.output()).toContain(message);
		expect(program.output()).not.toContain('    at ');
	});
});
