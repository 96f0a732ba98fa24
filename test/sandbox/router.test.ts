import { connect } from 'node:net';

import { type Sandbox, startSandbox } from '../../sandbox/sandbox';
import { get, sendRequest, signatureHeaders } from '../harness/client';

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox({ token: 'tok-123', basePath: '/gw/v1' });
});
afterAll(async () => await sandbox.close());

const errorBody = (error: string) => ({ error, message: expect.any(String) });

describe('router', () => {
	it.each([
		['/'],
		['/api/whatsapp/tok-123/ping'],
		['/gw/v1/api/whatsapp/tok-123'],
		['/gw/v1/api/whatsapp/tok-123/'],
		['/gw/v1/api/whatsapp/tok-123/ping/'],
		['/gw/v1/api/whatsapp/tok-123/sendmessage'],
		['/gw/v1/api/whatsapp/tok-123/deferred/'],
		['/gw/v1/api/whatsapp/tok-123/deferred/a/b'],
		['/gw/v1/api/whatsapp/a/b/ping'],
		['/gw/v1/../v1/api/whatsapp/tok-123/ping'],
		['/_sandboxed'],
		['/%E0%A4%A'],
	])('returns 404 for %s', async (path) => {
		const response = await sendRequest(`http://127.0.0.1:${sandbox.port}${path}`);
		expect(response.status).toBe(404);
		expect(response.json).toEqual(errorBody('not_found'));
	});

	it.each([
		['POST', 'ping', 'GET'],
		['GET', 'sendMessage', 'POST'],
		['OPTIONS', 'status', 'GET'],
		['PUT', 'deferred/x', 'GET, DELETE'],
	])('rejects %s for %s', async (method, path, allowed) => {
		const response = await sendRequest(`${sandbox.baseUrl}/api/whatsapp/tok-123/${path}`, {
			method,
		});
		expect(response.status).toBe(405);
		expect(response.headers.allow).toBe(allowed);
		expect(response.json).toEqual(errorBody('method_not_allowed'));
	});

	it.each([['tok-124'], ['tok-12'], [''], ['%E0%A4%A'], ['TOK-123'], ['%00']])(
		'rejects the token %p',
		async (token) => {
			const response = await sendRequest(`${sandbox.baseUrl}/api/whatsapp/${token}/ping`);
			expect(response.status).toBe(401);
			expect(response.json).toEqual(errorBody('invalid_token'));
		},
	);

	it('ignores the query string', async () => {
		expect((await get(sandbox, 'ping?x=%E0%A4%A')).status).toBe(200);
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

	it('survives clients that disconnect during a request', async () => {
		sandbox.clearRequests();
		await new Promise<void>((resolve) => {
			const socket = connect(sandbox.port, '127.0.0.1', () => {
				socket.write(
					'POST /gw/v1/api/whatsapp/tok-123/start HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"chat',
					() => setTimeout(() => socket.destroy(), 50),
				);
			});
			socket.on('close', () => resolve());
		});
		while ((sandbox.requests()[0]?.outcome ?? 'pending') === 'pending')
			await new Promise(setImmediate);
		expect(sandbox.requests()[0]).toMatchObject({ outcome: 'left', status: null });
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
});
