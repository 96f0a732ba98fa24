import type { IncomingMessage } from 'node:http';

import { requireLoopback } from '../../dev/sandbox/http/loopback';
import { sendRequest, get, post } from '../harness/client';
import { useNewGateways } from '../harness/sandboxAccount';

const sandbox = useNewGateways({ token: 'tok-123', basePath: '/gw' });
beforeEach(() => sandbox.reset());

async function control(method: string, path: string, body?: unknown, more: object = {}) {
	return await sendRequest(`${sandbox.controlUrl}${path}`, {
		method,
		headers: {
			...{ 'Content-Type': 'application/json', 'X-Sandbox-Key': sandbox.controlKey },
			...more,
		},
		body: JSON.stringify(body),
	});
}

it('returns requests exactly as received', async () => {
	await post(sandbox, 'invite-info', '{ "inviteCode": "ü" }');
	await sendRequest(`${sandbox.baseUrl}/nowhere?x=%20`);
	expect((await control('GET', '/requests')).json.requests).toEqual([
		{
			method: 'POST',
			url: '/gw/api/whatsapp/tok-123/invite-info',
			headers: expect.objectContaining({ 'content-type': 'application/json' }),
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
		expect.objectContaining({ url: '/gw/nowhere?x=%20', endpoint: null, status: 404 }),
	]);
	expect((await control('DELETE', '/requests')).json).toEqual({ requests: [] });
	expect(sandbox.requests()).toEqual([]);
});

it.each([
	['127.0.0.1', 'localhost:3021', true],
	['::ffff:127.0.0.1', '127.0.0.1', true],
	['::ffff:192.0.2.7', 'localhost', false],
	['127.0.0.1', 'localhost.evil.example', false],
])('accepts local requests only: from %s to host %s', (remoteAddress, host, isAccepted) => {
	const request = { socket: { remoteAddress }, headers: { host } } as unknown as IncomingMessage;
	const check = () => requireLoopback(request);
	if (isAccepted) expect(check).not.toThrow();
	else expect(check).toThrow('this machine only');
});

it.each<[string, string, object | undefined]>([
	['POST', '/scan', undefined],
	['POST', '/status', { status: 'AUTH_FAILURE' }],
	['POST', '/reset', undefined],
	['POST', '/faults', { status: 500 }],
	['DELETE', '/faults', undefined],
	['DELETE', '/requests', undefined],
	['POST', '/guide', { examples: [] }],
	['POST', '/guide/request', { example: 'none', id: '17' }],
])('%s %s requires the control key', async (method, path, body) => {
	sandbox.setStatus('AWAITING_QR');
	await get(sandbox, 'ping');
	sandbox.faults([{ latencyMs: 1 }]);
	for (const key of [[], '', 'wrong']) {
		const response = await control(method, path, body, { 'X-Sandbox-Key': key });
		expect([response.status, response.json.error]).toEqual([403, 'invalid_control_key']);
	}
	expect(sandbox.state().status).toBe('AWAITING_QR');
	expect(sandbox.requests()).toHaveLength(1);
	expect((await control('GET', '/faults')).json).toEqual({ faults: [{ latencyMs: 1 }] });
	const { status } = await control(method, path, body);
	expect(status).toBe(path === '/guide/request' ? 422 : 200);
});

it('records no cookies, which browsers send to every port of a host', async () => {
	await get(sandbox, 'ping');
	await sendRequest(`${sandbox.baseUrl}/api/whatsapp/tok-123/ping`, {
		headers: { Cookie: 'n8n-auth=abc' },
	});
	expect(JSON.stringify(sandbox.requests())).not.toContain('n8n-auth');
	expect(sandbox.requests().length).toBeGreaterThan(1);
});

it('accepts nothing from other web pages, even with the control key', async () => {
	const response = await control('POST', '/reset', {}, { Origin: 'https://evil.example' });
	expect([response.status, response.json.error]).toEqual([403, 'foreign_origin']);
});
