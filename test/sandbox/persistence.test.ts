import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { type AccountState, startSandbox } from '../../sandbox/sandbox';
import { sendRequest, post, textTo } from '../harness/client';
import {
	emptyFolder,
	folderWithKeys,
	freePort,
	KEYS,
	printedValue,
	runMain,
	untilPrinted,
} from '../harness/sandboxProgram';

const SEND = 'sendMessage';

describe('state file', () => {
	let stateFile: string;
	const start = async () => await startSandbox({ ...KEYS, stateFile });

	beforeEach(() => {
		stateFile = join(emptyFolder(), 'state.jsonl');
	});

	it('restores the complete state', async () => {
		const before = await start();
		before.setStatus('ONLINE');
		const message = { ...textTo('4915112345678', 'Grüße\n👋'), idempotencyKey: 'a' };
		const sent = await post(before, SEND, message);
		before.setStatus('DISCONNECTED');
		await post(before, SEND, { ...textTo('4915112345678', 'b'), windowMs: 60_000 });
		const state = before.state();
		await before.close();

		const after = await start();
		expect(after.state()).toEqual(state);
		expect((await post(after, SEND, message)).json).toEqual({ ...sent.json, duplicate: true });
		after.setStatus('ONLINE');
		expect(after.state().delivered).toHaveLength(2);
		await after.close();
	});

	it('keeps the first response to a key over several starts', async () => {
		const message = { ...textTo('4915112345678'), windowMs: 60_000, idempotencyKey: 'a' };
		const first = await start();
		const deferred = await post(first, SEND, message);
		first.setStatus('ONLINE');
		await first.close();
		await (await start()).close();
		const last = await start();
		expect((await post(last, SEND, message)).json).toEqual({ ...deferred.json, duplicate: true });
		await last.close();
	});

	it('may have lines of any length, and end in a partial one', async () => {
		const text = 'é'.repeat(3_000_000);
		const before = await start();
		before.setStatus('ONLINE');
		await post(before, SEND, textTo('4915112345678', text));
		await before.close();
		appendFileSync(stateFile, '{"event":"delivered","message":{"messageId":"3EB0","chatId":"49');

		const after = await start();
		expect(after.state().delivered).toHaveLength(1);
		await post(after, SEND, textTo('4915112345678', 'next'));
		await after.close();
		const last = await start();
		expect(last.state().delivered.map((message) => message.text)).toEqual([text, 'next']);
		await last.close();
	});

	it('stops the start and frees the port if an earlier line is damaged', async () => {
		writeFileSync(stateFile, 'nonsense\n{"event":"reset"}\n');
		const port = await freePort();
		await expect(startSandbox({ port, stateFile })).rejects.toThrow(/^Line 1 of .* is damaged/);
		const other = await startSandbox({ port });
		await other.close();
	});
});

describe('kill -9', () => {
	it('loses no accepted message', async () => {
		const folder = folderWithKeys();
		const port = await freePort();
		const args = ['--port', String(port), '--folder', folder];
		const account = { ...KEYS, baseUrl: `http://127.0.0.1:${port}` };
		const control = `${account.baseUrl}/_sandbox`;

		const first = runMain(args);
		await untilPrinted(first, 'Ctrl+C');
		await sendRequest(`${control}/status`, {
			method: 'POST',
			headers: {
				'Content-Type': 'application/json',
				'X-Sandbox-Key': printedValue(first, 'Control key'),
			},
			body: '{"status":"ONLINE"}',
		});

		const accepted: unknown[] = [];
		let withoutResponse = 0;
		const keepSending = async (chatId: string) => {
			for (let i = 0; ; i += 1) {
				const message = { ...textTo(chatId, String(i)), idempotencyKey: `${chatId}-${i}` };
				const response = await post(account, SEND, message).catch(() => undefined);
				if (!response) break;
				accepted.push(response.json.messageId);
				if (accepted.length === 200) first.process.kill('SIGKILL');
			}
			withoutResponse += 1;
		};
		const chats = Array.from({ length: 8 }, (_, i) => `491511234567${i}`);
		await Promise.all(chats.map(keepSending));
		expect(await first.end).toBe('SIGKILL');
		expect(accepted.length).toBeGreaterThanOrEqual(200);

		const second = runMain(args);
		await untilPrinted(second, 'Ctrl+C');
		const state = (await sendRequest(`${control}/state`)).json as unknown as AccountState;
		const delivered = new Set(state.delivered.map(({ messageId }) => messageId));
		expect(accepted.filter((messageId) => !delivered.has(messageId as string))).toEqual([]);
		expect(delivered.size - accepted.length).toBeLessThanOrEqual(withoutResponse);

		const repeat = { ...textTo(chats[0] ?? '', '0'), idempotencyKey: `${chats[0]}-0` };
		expect((await post(account, SEND, repeat)).json.duplicate).toBe(true);
		second.process.kill('SIGTERM');
		expect(await second.end).toBe(0);
	});
});
