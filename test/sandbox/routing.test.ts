import { connect } from 'node:net';

import { type Sandbox, startSandbox } from '../../sandbox/sandbox';
import { ask, get } from './client';

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox({ token: 'tok-123', basePath: '/gw/v1' });
});
afterAll(async () => await sandbox.close());

const errorBody = (error: string) => ({ error, message: expect.any(String) });

describe('routing', () => {
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
	])('has nothing at %s', async (path) => {
		const reply = await ask(`http://127.0.0.1:${sandbox.port}${path}`);
		expect(reply.status).toBe(404);
		expect(reply.json).toEqual(errorBody('not_found'));
	});

	it.each([
		['POST', 'ping', 'GET'],
		['GET', 'sendMessage', 'POST'],
		['OPTIONS', 'status', 'GET'],
		['PUT', 'deferred/x', 'GET, DELETE'],
	])('does not take %s for %s', async (method, path, allowed) => {
		const reply = await ask(`${sandbox.baseUrl}/api/whatsapp/tok-123/${path}`, { method });
		expect(reply.status).toBe(405);
		expect(reply.headers.allow).toBe(allowed);
		expect(reply.json).toEqual(errorBody('method_not_allowed'));
	});

	it.each([['tok-124'], ['tok-12'], [''], ['%E0%A4%A'], ['TOK-123'], ['%00']])(
		'does not know the token %p',
		async (token) => {
			const reply = await ask(`${sandbox.baseUrl}/api/whatsapp/${token}/ping`);
			expect(reply.status).toBe(401);
			expect(reply.json).toEqual(errorBody('invalid_token'));
		},
	);

	it('leaves the query to itself', async () => {
		expect((await get(sandbox, 'ping?x=%E0%A4%A')).status).toBe(200);
	});

	it('survives what is not HTTP', async () => {
		const answer = await new Promise<string>((resolve) => {
			const socket = connect(sandbox.port, '127.0.0.1', () => socket.write('HELLO\r\n\r\n'));
			let text = '';
			socket.on('data', (chunk) => (text += chunk.toString()));
			socket.on('close', () => resolve(text));
		});
		expect(answer).toContain('400 Bad Request');
		expect(answer).toContain('"error":"bad_request"');
		expect((await get(sandbox, 'ping')).status).toBe(200);
	});

	it('survives clients that hang up in the middle', async () => {
		sandbox.clearRequests();
		await new Promise<void>((resolve) => {
			const socket = connect(sandbox.port, '127.0.0.1', () => {
				socket.write(
					'POST /gw/v1/api/whatsapp/tok-123/sendMessage HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"chat',
					() => setTimeout(() => socket.destroy(), 50),
				);
			});
			socket.on('close', () => resolve());
		});
		while (sandbox.requests()[0]?.outcome === 'pending') await new Promise(setImmediate);
		expect(sandbox.requests()[0]).toMatchObject({ outcome: 'left', status: null });
		expect((await get(sandbox, 'ping')).status).toBe(200);
	});

	it('takes no body above 128 MB, and says so to who sends it all', async () => {
		const reply = await ask(`${sandbox.baseUrl}/api/whatsapp/tok-123/sendMedia`, {
			method: 'POST',
			body: Buffer.alloc(128 * 1024 * 1024 + 1, 0x20),
		});
		expect(reply.status).toBe(413);
		expect(reply.json).toEqual(errorBody('body_too_large'));
	});
});
