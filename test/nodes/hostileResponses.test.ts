import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';

import { useAccounts } from '../fuzz/cases';
import { run, type RunOptions } from '../harness/engine';
import { ITEM } from '../harness/operations';
import { useVirtualTime } from '../harness/virtualTime';
import { NO_LIMITS, timed, until } from '../harness/messages';

// test/fuzz/responses.test.ts has random responses. These are large, slow or cut, or their error message matters.

const MB = 1024 * 1024;

let answer: (response: ServerResponse) => void;
let open = 0;
const newAccount = useAccounts((request, response) => {
	open += 1;
	response.on('close', () => (open -= 1)).on('error', () => {});
	request.resume().on('end', () => answer(response));
});

const status = { resource: 'session', operation: 'status' };
const send = {
	...{ resource: 'message', operation: 'send', chatId: '447700900123', text: 'Hello' },
	options: NO_LIMITS,
};
const running = (parameters: object, timeout = 10_000): RunOptions => ({
	account: newAccount(),
	parameters: { ...parameters, requestOptions: { timeout } },
	items: [ITEM],
});

/** Sends data until the client closes the connection. */
function endlessly(response: ServerResponse): void {
	const chunk = Buffer.alloc(MB, 0x20);
	const more = () => {
		while (!response.destroyed && response.write(chunk));
		if (!response.destroyed) response.once('drain', more);
	};
	more();
}

function slowly(response: ServerResponse): void {
	response.write('{"status":"');
	const timer = setInterval(() => response.write('A'), 100);
	response.on('close', () => clearInterval(timer));
}

const decompressing = (response: ServerResponse) =>
	response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(64 * MB)));

test.each([
	['an endless response', endlessly],
	['a small response that decompresses to 64 MB', decompressing],
])('aborts %s with a clear message', async (_what, hostile) => {
	answer = hostile;
	const { error } = await run(running(send));
	expect(error?.message).toMatch(/^The response of the gateway is too large.* \[item 0\]$/);
	expect(error?.description).toMatch(/^Reading stopped at the 16 MB limit/);
	await until('the connection is closed', () => open === 0);
});

test.each([
	[status, {}],
	[send, { 'content-encoding': 'gzip' }],
])('%j reports a response with %j that is cut in the middle', async (parameters, headers) => {
	answer = (response) => {
		const body = '{"status":"ONLINE","sent":true}';
		response.writeHead(200, headers);
		response.write(parameters === send ? gzipSync(body).subarray(0, -9) : body);
		setImmediate(() => response.destroy());
	};
	const { error } = await run(running(parameters));
	expect(error?.message).toMatch(/^The connection closed before a complete response arrived/);
	expect(error?.message.includes('it may have been sent')).toBe(parameters === send);
});

describe('with a slow gateway', () => {
	useVirtualTime();

	test.each([
		['arrives byte by byte', slowly],
		['never starts', () => {}],
	])('aborts a response that %s after the timeout', async (_what, hostile) => {
		answer = hostile;
		const { value, ms } = await timed(run(running(send, 1_000)));
		expect(value.error?.message).toMatch(/^The gateway did not respond within the timeout/);
		expect(ms).toBe(1_000);
		await until('the connection is closed', () => open === 0);
	});
});

test('a long ID that is almost one of WhatsApp takes no longer than another', async () => {
	answer = (response) => response.end(JSON.stringify({ id: `true_${'@'.repeat(200_000)} x` }));
	const { error } = await run(running(send));
	expect(error?.message).toMatch(/^The response of the gateway does not say/);
});
