import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

import { type Account, run, type RunOptions, start } from '../harness/engine';
import { OPERATIONS, quickParameters } from '../harness/operations';
import { useVirtualTime } from '../harness/virtualTime';
import { quiet, timed, until } from '../harness/messages';

const MB = 1024 * 1024;

let answer: (response: ServerResponse) => void;
let open = 0;
const server = createServer((request, response) => {
	open += 1;
	response.on('close', () => (open -= 1)).on('error', () => {});
	request.resume().on('end', () => answer(response));
});
let account: Account;

beforeAll(async () => {
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	account = { baseUrl: `http://127.0.0.1:${port}`, token: 'tok-123', secret: 'geheim-123' };
});
afterAll(async () => {
	server.close();
	server.closeAllConnections();
	await once(server, 'close');
});

const status = { resource: 'session', operation: 'status' };
const send = {
	...{ resource: 'message', operation: 'send', chatId: '447700900123', text: 'Hello' },
	options: { allowRepeats: true },
};

const ENTRY_POINTS: Array<[string, Partial<RunOptions>]> = [
	['a lookup', { parameters: status }],
	['a message', { parameters: send }],
];

const withTimeout = (entryPoint: Partial<RunOptions>, timeout = 10_000): RunOptions => ({
	account,
	...entryPoint,
	parameters: { ...entryPoint.parameters, requestOptions: { timeout } },
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

describe.each(ENTRY_POINTS)('%s', (_entryPoint, entryPoint) => {
	test.each<[string, (response: ServerResponse) => void]>([
		['an endless response', endlessly],
		[
			'a small response that decompresses to 64 MB',
			(response) =>
				response
					.writeHead(200, { 'content-encoding': 'gzip' })
					.end(gzipSync(Buffer.alloc(64 * MB, 0x20))),
		],
	])('aborts %s with a clear message', async (_what, hostile) => {
		answer = hostile;
		const { error } = await run(withTimeout(entryPoint));
		expect(error?.message).toMatch(/^The response of the gateway is too large.* \[item 0\]$/);
		expect(error?.description).toMatch(/^Reading stopped at the 16 MB limit/);
		await until('the connection is closed', () => open === 0);
	});

	test.each<[string, Record<string, string>]>([
		['chunks', {}],
		['a Content-Length', { 'content-length': '100' }],
		['gzip', { 'content-encoding': 'gzip' }],
	])('reports a response with %s that is cut in the middle', async (_what, headers) => {
		answer = (response) => {
			const body = '{"status":"ONLINE","sent":true}';
			response.writeHead(200, headers);
			response.write('content-encoding' in headers ? gzipSync(body).subarray(0, -9) : body);
			setImmediate(() => response.destroy());
		};
		const { error } = await run(withTimeout(entryPoint));
		expect(error?.message).toMatch(/^The connection closed before a complete response arrived/);
		expect(error?.message.includes('it may have been sent')).toBe(entryPoint.parameters === send);
	});
});

describe.each(ENTRY_POINTS)('%s with a slow gateway', (_entryPoint, entryPoint) => {
	useVirtualTime();

	/** Of its own, because the account of the other tests has seen a later time than the virtual one. */
	const slow = (): RunOptions => ({
		...withTimeout(entryPoint, 1000),
		account: { ...account, token: 'tok-slow' },
	});

	test.each<[string, (response: ServerResponse) => void]>([
		['that arrives byte by byte', slowly],
		['that stops in the middle', (response) => response.write('{"status":"ONL')],
		['that never starts', () => {}],
	])('aborts a response %s after the timeout', async (_what, hostile) => {
		answer = hostile;
		const { value, ms } = await timed(run(slow()));
		expect(value.error?.message).toMatch(/^The gateway did not respond within the timeout/);
		expect(ms).toBe(1_000);
		await until('the connection is closed', () => open === 0);
	});

	test('ends a cancelled execution without waiting for the rest of a response', async () => {
		answer = slowly;
		const execution = start(withTimeout(entryPoint, 60_000));
		await until('the request is received', () => open === 1);
		await quiet(200);
		execution.cancel();
		const { value, ms } = await timed(execution.outcome);
		expect(value.run.status).toBe('canceled');
		expect(ms).toBeLessThan(1000);
		await until('the connection is closed', () => open === 0);
	});
});

test('reads a response of 15 MB', async () => {
	answer = (response) =>
		response.end(JSON.stringify({ status: 'ONLINE', note: 'x'.repeat(15 * MB) }));
	const { items } = await run(withTimeout({ parameters: status }));
	expect(items[0]?.json).toMatchObject({ status: 'ONLINE' });
});

test('reads a response nested a million levels deep, but returns only the upper levels', async () => {
	answer = (response) =>
		response.end(`{"status":"ONLINE","deep":${'['.repeat(1e6)}${']'.repeat(1e6)}}`);
	const { items, error } = await run(withTimeout({ parameters: status }));
	expect(error).toBeUndefined();
	expect(items[0]?.json.status).toBe('ONLINE');
	expect(JSON.stringify(items[0]?.json).length).toBeLessThan(1000);
});

test('reports a flood of headers with a clear message', async () => {
	answer = (response) => {
		for (let index = 0; index < 5000; index++)
			response.setHeader(`x-flood-${index}`, 'y'.repeat(50));
		response.end('{"status":"ONLINE"}');
	};
	const { error } = await run(withTimeout({ parameters: status }));
	expect(error?.message).toMatch(/before a complete response arrived \[item 0\]$/);
});

const text = (body: string, contentType = 'application/json') => {
	answer = (response) => response.writeHead(200, { 'content-type': contentType }).end(body);
};
const file = { data: { data: 'QUJD', mimeType: 'text/plain' } };
const name = ({ operation }: Record<string, unknown>) => operation as string;
const named = (polls: boolean) =>
	OPERATIONS.filter((operation) => Boolean(operation.polls) === polls)
		.map(quickParameters)
		.map((parameters) => [name(parameters), parameters as never] as const);

describe('a web page with status 200', () => {
	test.each(named(false))('is not a success of %s', async (_name, operation: object) => {
		let requests = 0;
		answer = (response) => {
			requests += 1;
			response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html>Sign in');
		};
		const parameters = { ...operation, options: { maxWait: 0 } };
		const items = [{ json: {}, binary: file }];
		const { items: output, error } = await run({ account, parameters, items });
		expect(output).toEqual([]);
		expect(error?.message).toBe(
			'The response is a web page, not the response of a gateway (200) [item 0]',
		);
		expect(error?.description).toMatch(/'Base URL'.*firewall.*captive portal/);
		expect(requests).toBe(1);
	});

	describe('while it polls', () => {
		useVirtualTime();

		test.each(named(true))('is not a success of %s', async (_name, operation: object) => {
			text('<html>ONLINE</html>');
			const { items, error } = await run({ account, parameters: { ...operation, options: {} } });
			expect(items).toEqual([]);
			expect(error?.message).toMatch(/^The response is a web page/);
		});
	});
});

const ACTIONS = ['send', 'sendMedia', 'delete', 'start', 'refresh', 'terminate'];
const actions = named(false).filter(([operation]) => ACTIONS.includes(operation));

describe.each([
	['{"status":"failed"}', /^The gateway rejected the request \(200\)/],
	['{"error":"session_not_online","status":"DISCONNECTED"}', /^The session is not online \(200/],
	['{"success":true,"data":{"error":"session_not_online","id":1}}', /^The session is not online/],
	['[{"success":"false"}]', /^The gateway rejected the request \(200\)/],
])('%s with status 200', (body, message) => {
	test.each(actions)('is not a success of %s', async (_name, parameters) => {
		text(body);
		const items = [{ json: {}, binary: file }];
		const { items: output, error } = await run({ account, parameters, items });
		expect(output).toEqual([]);
		expect(error?.message).toMatch(message);
		expect(error?.message).not.toContain('may have been sent');
	});
});

test.each([
	['send', '{"sent":false,"reason":"No such chat"}'],
	['delete', '{"deleted":false,"reason":"No such chat"}'],
	['start', '{"started":false,"reason":"No such chat"}'],
])('%s does not succeed with %s', async (operation, body) => {
	text(body);
	const [, parameters] = actions.find(([action]) => action === operation)!;
	const { items, error } = await run({ account, parameters });
	expect(items).toEqual([]);
	expect(error?.description).toContain('The gateway says: No such chat.');
});

describe.each(['{"status":"on its way"}', '{"success":true,"messageId":"3EB', '<ok/>'])(
	'%s with status 200',
	(body) => {
		const UNKNOWN = 'The response of the gateway does not say whether the request succeeded (200)';

		test.each(actions)('leaves unknown whether %s succeeded', async (operation, parameters) => {
			text(body);
			const items = [{ json: {}, binary: file }];
			const { items: output, error } = await run({ account, parameters, items });
			expect(output).toEqual([]);
			const suffix = operation.startsWith('send') ? '; unknown: it may have been sent' : '';
			expect(error?.message).toBe(`${UNKNOWN}${suffix} [item 0]`);
		});

		test.each([
			[{}, 1, undefined],
			[{ idempotencyKey: 'order-7' }, 2, 'duplicate'],
		])('is tried again with an idempotency key only: %j', async (options, count, outcome) => {
			let requests = 0;
			answer = (response) => {
				requests += 1;
				response.end(requests === 1 ? body : '{"status":"duplicate"}');
			};
			const { items, error } = await run({ account, parameters: { ...send, options } });
			expect(requests).toBe(count);
			expect(items[0]?.json.outcome).toBe(outcome);
			expect(error === undefined).toBe(outcome !== undefined);
		});
	},
);

test('a lookup returns fields that would deny success of a message', async () => {
	text('{"error":"session_not_online","status":"DISCONNECTED"}');
	const { items } = await run({ account, parameters: status });
	expect(items[0]?.json).toEqual({
		...{ gatewayError: 'session_not_online', status: 'DISCONNECTED', online: false },
	});
});
