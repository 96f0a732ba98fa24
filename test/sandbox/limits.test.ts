import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';

import { RequestLog } from '../../dev/sandbox/api/requestLog';
import { post, sendRequest, signatureHeaders, textTo, urlOf } from '../harness/client';
import { useNewGateways } from '../harness/sandboxAccount';

const MB = 1024 * 1024;

const sandbox = useNewGateways({ token: 'tok-123', secret: 'sandbox-secret' });
const sockets: Socket[] = [];
afterEach(() => sockets.splice(0).forEach((socket) => socket.destroy()));

/** Sends the headers and the first bytes of a request, and never the rest. */
function startRequest(path: string, headers: Record<string, string>, start: string | Buffer) {
	const socket = connect(sandbox.port, '127.0.0.1');
	sockets.push(socket);
	socket.on('error', () => {});
	const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
	socket.write(`POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${lines.join('')}\r\n`);
	socket.write(start);
	return socket;
}

const SEND = '/api/whatsapp/tok-123/sendMessage';

it.each([
	['with a wrong token', '/api/whatsapp/tok-124/sendMessage', Date.now()],
	['with an old timestamp', SEND, Date.now() - 3_600_000],
])('responds to a request %s before it reads the body', async (_, path, now) => {
	const headers = { ...signatureHeaders(sandbox, '{}', now), 'Content-Length': '1000' };
	const socket = startRequest(path, headers, '{"chatId":');
	const [data] = (await once(socket, 'data')) as [Buffer];
	expect(data.toString()).toMatch(/^HTTP\/1\.1 401 Unauthorized\r\n/);
	expect(sandbox.requests()).toMatchObject([{ status: 401, bodyLength: null, bodyText: null }]);
});

it('holds at most 128 MB of bodies', async () => {
	const sendWith = async (bytes: number) =>
		await post(sandbox, 'sendMessage', { ...textTo('4915112345678'), note: 'x'.repeat(bytes) });
	const headers = { ...signatureHeaders(sandbox, ''), 'Content-Length': String(128 * MB) };
	const large = startRequest(SEND, headers, Buffer.alloc(126 * MB, 0x20));
	// Then at most the buffers of the two sockets are still on their way: far less than 32 MB.
	while (large.writableLength > 0) await once(large, 'drain');
	const busy = await sendWith(32 * MB);
	expect([busy.status, busy.headers['retry-after']]).toEqual([503, '1']);
	expect(busy.json).toEqual({ error: 'too_many_bytes_in_flight', message: expect.any(String) });
	expect((await sendWith(0)).status).toBe(200);

	large.destroy();
	let free;
	do free = await sendWith(16 * MB);
	while (free.status === 503);
	expect(free.status).toBe(200);
}, 60_000);

describe('the request log', () => {
	it('drops cookies, which browsers send to every port of a host', async () => {
		await sendRequest(urlOf(sandbox, 'ping'), { headers: { Cookie: 'n8n-auth=abc', X: 'y' } });
		expect(sandbox.requests()).toMatchObject([{ headers: { x: 'y' } }]);
		expect(JSON.stringify(sandbox.requests())).not.toContain('n8n-auth');
	});

	it.each<[string, Record<string, string>, number]>([
		['bodies', {}, 60_000],
		['headers', { filler: 'x'.repeat(60_000) }, 0],
	])('has at most 64 MB of %s', (_, headers, length) => {
		const log = new RequestLog(Date.now);
		for (let i = 0; i < 1_500; i += 1) {
			const recorded = log.begin({ method: 'POST', url: `/${i}`, headers } as IncomingMessage);
			log.addBody(recorded, Buffer.alloc(length, 'x'));
		}
		const list = log.list();
		expect(list.at(-1)?.url).toBe('/1499');
		expect(list.length).toBeGreaterThan((60 * MB) / 60_000);
		expect(list.length).toBeLessThanOrEqual((64 * MB) / 60_000);
		log.clear();
		log.begin({ method: 'GET', url: '/', headers: {} } as IncomingMessage);
		expect(log.list()).toHaveLength(1);
	});
});
