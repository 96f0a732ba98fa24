import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

import { call } from '../../nodes/MessagingGateway/call';
import { type Account, run, type RunOptions, start } from '../engine';
import { timed, until } from './sending/messages';

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
const send = { resource: 'message', operation: 'send', chatId: '447700900123', text: 'Hello' };

const DOORS: Array<[string, Partial<RunOptions>]> = [
	['a look-up', { parameters: status }],
	['a message', { parameters: send }],
	['a message of an agent', { parameters: send, asTool: true }],
];

const asked = (door: Partial<RunOptions>, timeout = 10_000): RunOptions => ({
	account,
	...door,
	parameters: { ...door.parameters, requestOptions: { timeout } },
});

/** Goes on for as long as somebody listens. */
function endlessly(response: ServerResponse): void {
	const chunk = Buffer.alloc(MB, 0x20);
	const more = () => {
		while (!response.destroyed && response.write(chunk));
		if (!response.destroyed) response.once('drain', more);
	};
	more();
}

function inDrops(response: ServerResponse): void {
	response.write('{"status":"');
	const timer = setInterval(() => response.write('A'), 100);
	response.on('close', () => clearInterval(timer));
}

describe.each(DOORS)('%s', (_door, door) => {
	test.each<[string, (response: ServerResponse) => void]>([
		['an answer without end', endlessly],
		[
			'a small answer that unpacks to 64 MB',
			(response) =>
				response
					.writeHead(200, { 'content-encoding': 'gzip' })
					.end(gzipSync(Buffer.alloc(64 * MB, 0x20))),
		],
	])('%s is left, in words', async (_what, hostile) => {
		answer = hostile;
		const { error } = await run(asked(door));
		expect(error?.message).toMatch(
			/^The answer of the gateway is too large to be read.* \[item 0\]$/,
		);
		expect(error?.description).toMatch(/^More than 16 MB came/);
		await until('the connection is closed', () => open === 0);
	});

	test.each<[string, (response: ServerResponse) => void]>([
		['that comes in drops', inDrops],
		['that stops in the middle', (response) => response.write('{"status":"ONL')],
		['that never begins', () => {}],
	])('an answer %s is not waited for longer than the time-out', async (_what, hostile) => {
		answer = hostile;
		const { value, ms } = await timed(run(asked(door, 1000)));
		expect(value.error?.message).toMatch(/^The gateway did not answer in time/);
		expect(ms).toBeGreaterThanOrEqual(950);
		expect(ms).toBeLessThan(3_000);
		await until('the connection is closed', () => open === 0);
	});

	test('a cancelled execution does not wait for the end of an answer', async () => {
		answer = inDrops;
		const execution = start(asked(door, 60_000));
		await until('it came in', () => open === 1);
		await new Promise((resolve) => setTimeout(resolve, 200));
		execution.cancel();
		const { value, ms } = await timed(execution.outcome);
		expect(value.run.status).toBe('canceled');
		expect(ms).toBeLessThan(1000);
		await until('the connection is closed', () => open === 0);
	});
});

test('an answer of 15 MB is read', async () => {
	answer = (response) =>
		response.end(JSON.stringify({ status: 'ONLINE', note: 'x'.repeat(15 * MB) }));
	const { items } = await run(asked({ parameters: status }));
	expect(items[0]?.json).toMatchObject({ status: 'ONLINE' });
});

test('an answer nested a million deep is read as far as anything sensible goes', async () => {
	answer = (response) =>
		response.end(`{"status":"ONLINE","deep":${'['.repeat(1e6)}${']'.repeat(1e6)}}`);
	const { items, error } = await run(asked({ parameters: status }));
	expect(error).toBeUndefined();
	expect(items[0]?.json.status).toBe('ONLINE');
	expect(JSON.stringify(items[0]?.json).length).toBeLessThan(1000);
});

test('a flood of headers ends in words', async () => {
	answer = (response) => {
		for (let index = 0; index < 5000; index++)
			response.setHeader(`x-flood-${index}`, 'y'.repeat(50));
		response.end('{"status":"ONLINE"}');
	};
	const { error } = await run(asked({ parameters: status }));
	expect(error?.message).toMatch(/could not be read \[item 0\]$/);
});

test('nothing is sent for an execution that was stopped before', async () => {
	let signal: AbortSignal | undefined;
	const helpers = {
		async httpRequestWithAuthentication(this: { getExecutionCancelSignal(): AbortSignal }) {
			signal = this.getExecutionCancelSignal();
			return { statusCode: 200, headers: {}, body: [] };
		},
	};
	const context = { helpers, getExecutionCancelSignal: () => AbortSignal.abort() };
	await call(context as never, { url: 'http://127.0.0.1:1/' }, (value) => value);
	expect(signal?.aborted).toBe(true);
});
