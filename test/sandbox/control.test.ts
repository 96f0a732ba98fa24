import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';

import { Account } from '../../sandbox/account/account';
import { ActiveFaults } from '../../sandbox/faults/activeFaults';
import { handleControlRequest } from '../../sandbox/control';
import { StoredGuide } from '../../sandbox/guide/guide';
import { BodiesInFlight } from '../../sandbox/http/requestBody';
import { RequestLog } from '../../sandbox/api/requestLog';
import { type Sandbox, startSandbox } from '../../sandbox/sandbox';
import { sendRequest, get, post, textTo } from '../harness/client';

let sandbox: Sandbox;

beforeEach(async () => {
	sandbox = await startSandbox({ token: 'tok-123', basePath: '/gw' });
});
afterEach(async () => await sandbox.close());

async function control(method: string, path: string, body?: unknown) {
	return await sendRequest(`${sandbox.controlUrl}${path}`, {
		method,
		headers: {
			'X-Sandbox-Key': sandbox.controlKey,
			...(method === 'POST' && { 'Content-Type': 'application/json' }),
		},
		...(body !== undefined && { body: JSON.stringify(body) }),
	});
}

describe('control', () => {
	it('is at the root, regardless of the base path', () => {
		expect(sandbox.controlUrl).toBe(`http://127.0.0.1:${sandbox.port}/_sandbox`);
	});

	it('scans the QR code and sets the status', async () => {
		const early = await control('POST', '/scan');
		expect(early.status).toBe(409);
		expect(early.json.error).toBe('not_awaiting_qr');
		expect((await control('POST', '/status', { status: 'AWAITING_QR' })).status).toBe(200);
		expect((await control('POST', '/scan')).json).toEqual({ status: 'ONLINE' });
		const wrong = await control('POST', '/status', { status: 'ASLEEP' });
		expect(wrong.status).toBe(422);
	});

	it('returns and resets the state', async () => {
		sandbox.setStatus('ONLINE');
		await post(sandbox, 'sendMessage', textTo('4915112345678'));
		expect((await control('GET', '/state')).json).toMatchObject({
			status: 'ONLINE',
			paired: true,
			delivered: [{ text: 'Hello' }],
			deferred: [],
		});
		await control('POST', '/reset');
		expect((await control('GET', '/state')).json).toEqual({
			status: 'DISCONNECTED',
			paired: false,
			delivered: [],
			deferred: [],
		});
	});

	it('sets and clears one or several faults', async () => {
		const armed = await control('POST', '/faults', [{ endpoint: 'ping', status: 500, times: 2 }]);
		expect(armed.json).toEqual({
			faults: [{ endpoint: 'ping', status: 500, times: 2, timesLeft: 2 }],
		});
		expect((await get(sandbox, 'ping')).status).toBe(500);
		expect((await control('GET', '/faults')).json).toMatchObject({ faults: [{ timesLeft: 1 }] });
		await control('POST', '/faults', { status: 502 });
		expect((await get(sandbox, 'ping')).status).toBe(502);
		expect((await control('POST', '/faults', { bogus: 1 })).status).toBe(422);
		expect((await control('DELETE', '/faults')).json).toEqual({ faults: [] });
		expect((await get(sandbox, 'ping')).status).toBe(200);
	});

	it('returns requests exactly as received', async () => {
		await post(sandbox, 'invite-info', '{ "inviteCode": "ü" }');
		await sendRequest(`${sandbox.baseUrl}/nowhere?x=%20`);
		const { requests } = (await control('GET', '/requests')).json;
		expect(requests).toEqual([
			{
				method: 'POST',
				url: '/gw/api/whatsapp/tok-123/invite-info',
				headers: expect.objectContaining({
					'content-type': 'application/json',
					'x-api-timestamp': expect.stringMatching(/^\d{13}$/),
				}),
				endpoint: 'inviteInfo',
				isSigned: true,
				chatId: null,
				bodyLength: 22,
				// printf '%s' '{ "inviteCode": "ü" }' | sha256sum
				bodySha256: 'c66dffc80bafcea8b4ea1b2772398edad5e855a56128f33a285259e9f0a0f4ed',
				bodyText: '{ "inviteCode": "ü" }',
				receivedAt: expect.stringMatching(/Z$/),
				outcome: 'answered',
				status: 200,
				reason: null,
				answeredAt: expect.stringMatching(/Z$/),
			},
			expect.objectContaining({
				url: '/gw/nowhere?x=%20',
				endpoint: null,
				status: 404,
				reason: expect.stringMatching(/^not_found: There is no such endpoint/),
			}),
		]);
		expect((await control('DELETE', '/requests')).json).toEqual({ requests: [] });
		expect(sandbox.requests()).toEqual([]);
	});

	it('rejects HTML forms and foreign host names', async () => {
		const form = await sendRequest(`${sandbox.controlUrl}/reset`, {
			method: 'POST',
			headers: { 'Content-Type': 'text/plain' },
			body: '{}',
		});
		expect(form.status).toBe(415);
		const named = await sendRequest(`${sandbox.controlUrl}/state`, {
			headers: { Host: 'evil.example' },
		});
		expect(named.status).toBe(403);
	});

	it.each([
		['127.0.0.1', 'localhost:3021', 200],
		['::ffff:127.0.0.1', '127.0.0.1', 200],
		['::1', '[::1]:3021', 200],
		['192.0.2.7', '127.0.0.1:3021', 403],
		['::ffff:192.0.2.7', 'localhost', 403],
		['127.0.0.1', 'localhost.evil.example', 403],
	])('accepts local requests only: from %s to host %s', async (remoteAddress, host, status) => {
		const now = Date.now;
		const context = {
			account: new Account(now),
			faults: new ActiveFaults(),
			log: new RequestLog(now),
			bodies: new BodiesInFlight(),
			guide: new StoredGuide(),
			controlKey: 'key',
			reset: () => {},
		};
		const request = Object.assign(Readable.from([]), {
			method: 'GET',
			url: '/_sandbox/state',
			socket: { remoteAddress },
			headers: { host },
		}) as unknown as IncomingMessage;
		const result = await handleControlRequest(context, request).catch((error: unknown) => error);
		expect(result).toMatchObject({ status });
	});

	it.each([
		['GET', '/nothing', 404],
		['GET', '/constructor', 404],
		['GET', '', 404],
		['DELETE', '/state', 405],
	])('%s %s returns %i', async (method, path, status) => {
		const response = await control(method, path);
		expect(response.status).toBe(status);
		expect(response.json).toEqual({ error: expect.any(String), message: expect.any(String) });
	});
});
