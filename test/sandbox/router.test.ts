import { connect } from 'node:net';

import { get, sendRequest, signatureHeaders } from '../harness/client';
import { useGateway } from '../harness/sandboxAccount';

const sandbox = useGateway({ token: 'tok-123', basePath: '/gw/v1' });

const errorBody = (error: string) => ({ error, message: expect.any(String) });

it.each(['/', '/gw/v1/../v1/api/whatsapp/tok-123/ping'])('returns 404 for %s', async (path) => {
	const response = await sendRequest(`http://127.0.0.1:${sandbox.port}${path}`);
	expect(response.status).toBe(404);
	expect(response.json).toEqual(errorBody('not_found'));
});

it.each([
	['GET', 'sendMessage', 'POST'],
	['PUT', 'deferred/x', 'GET, DELETE'],
])('rejects %s for %s', async (method, path, allowed) => {
	const url = `${sandbox.baseUrl}/api/whatsapp/tok-123/${path}`;
	const response = await sendRequest(url, { method });
	expect([response.status, response.headers.allow]).toEqual([405, allowed]);
	expect(response.json).toEqual(errorBody('method_not_allowed'));
});

it.each(['tok-12', '%E0%A4%A'])('rejects the token %p', async (token) => {
	const response = await sendRequest(`${sandbox.baseUrl}/api/whatsapp/${token}/ping`);
	expect(response.status).toBe(401);
	expect(response.json).toEqual(errorBody('invalid_token'));
});

it('responds to invalid HTTP', async () => {
	const received = await new Promise<string>((resolve) => {
		const socket = connect(sandbox.port, '127.0.0.1', () => socket.write('HELLO\r\n\r\n'));
		let text = '';
		socket.on('data', (chunk) => (text += chunk.toString()));
		socket.on('close', () => resolve(text));
	});
	expect(received).toContain('400 Bad Request');
	expect(received).toContain('"error":"bad_request"');
	expect((await get(sandbox, 'ping')).status).toBe(200);
});

it('rejects a body above 128 MB, also if the client sends all of it first', async () => {
	const response = await sendRequest(`${sandbox.baseUrl}/api/whatsapp/tok-123/sendMedia`, {
		method: 'POST',
		headers: signatureHeaders(sandbox, ''),
		body: Buffer.alloc(128 * 1024 * 1024 + 1, 0x20),
	});
	expect(response.status).toBe(413);
	expect(response.json).toEqual(errorBody('body_too_large'));
});
