import type { Fault } from '../../dev/sandbox/sandbox';
import { get, post, signatureHeaders, sendRequest, textTo, urlOf } from '../harness/client';
import { useGateway, useNewGateways } from '../harness/sandboxAccount';
import { turn, useVirtualTime } from '../harness/virtualTime';

const sandbox = useGateway({ token: 'tok-123' });

const send = async (chatId = '4915112345678') => await post(sandbox, 'sendMessage', textTo(chatId));

describe('faults', () => {
	it('of messages leave all other requests alone', async () => {
		sandbox.faults([{ endpoint: 'message', times: 2, status: 429 }]);
		const media = { mimetype: 'image/png', filename: 'a.png', base64: 'aGVsbG8=' };
		const sendMedia = { chatId: '4915112345678', type: 'media', media };
		expect((await get(sandbox, 'status')).status).toBe(200);
		expect((await post(sandbox, 'sendMedia', sendMedia)).status).toBe(429);
		expect((await get(sandbox, 'ping')).status).toBe(200);
		expect((await send()).status).toBe(429);
		expect((await send()).status).toBe(200);
	});

	it('can be limited to one chat, in any spelling of its ID', async () => {
		sandbox.faults([{ chatId: '4915112345678@c.us', status: 402 }]);
		expect((await send('4915112345679')).status).toBe(200);
		expect((await send('4915112345678')).json.error).toBe('insufficient_balance');
		const legacy = { phone: '4915112345678', type: 'text', message: 'x' };
		expect((await post(sandbox, 'sendMessage', legacy)).status).toBe(402);
	});

	it('are neither hidden nor used up by an invalid request', async () => {
		sandbox.faults([{ status: 503, code: 'upstream', message: 'Later.', times: 1 }]);
		expect((await post(sandbox, 'sendMessage', {})).status).toBe(422);
		const body = JSON.stringify(textTo('4915112345678'));
		const headers = signatureHeaders(sandbox, 'another body');
		const request = { method: 'POST', headers, body };
		expect((await sendRequest(urlOf(sandbox, 'sendMessage'), request)).status).toBe(401);
		expect((await send()).json).toEqual({ error: 'upstream', message: 'Later.' });
		expect((await send()).status).toBe(200);
	});

	it('with a wrong clock are used up by the signature that they make expire', async () => {
		sandbox.faults([{ clockOffsetMs: 3_600_000, times: 1 }]);
		expect((await send()).status).toBe(401);
		expect((await send()).status).toBe(200);
	});

	it.each<['before' | 'after', number]>([
		['before', 0],
		['after', 1],
	])('can close the connection %s the message is sent', async (cut, delivered) => {
		sandbox.faults([{ cut, times: 1 }]);
		await expect(send()).rejects.toMatchObject({ code: 'ECONNRESET' });
		expect(sandbox.state().delivered).toHaveLength(delivered);
		expect(sandbox.requests()).toMatchObject([{ outcome: 'cut', status: null }]);
		expect((await send()).status).toBe(200);
	});

	it('can return any status, headers and body', async () => {
		sandbox.faults([
			{ times: 1, body: { contentType: 'text/html', text: '<h1>Sign in</h1>' } },
			{ times: 1, status: 502, body: { contentType: 'image/png', base64: 'aGVsbG8=' } },
			{ times: 1, status: 307, headers: { Location: 'http://127.0.0.1:9/elsewhere' } },
			{ times: 1, status: 204 },
		]);
		const responses: unknown[] = [];
		for (let times = 0; times < 4; times += 1) {
			const { status, headers, body } = await get(sandbox, 'ping');
			const { 'content-type': type, location } = headers;
			responses.push([status, type, location, body.toString()]);
		}
		const json = 'application/json; charset=utf-8';
		expect(responses).toEqual([
			[200, 'text/html', undefined, '<h1>Sign in</h1>'],
			[502, 'image/png', undefined, 'hello'],
			[307, json, 'http://127.0.0.1:9/elsewhere', expect.stringContaining('status_307')],
			[204, undefined, undefined, ''],
		]);
	});

	it('can limit the rate, as a token bucket', async () => {
		jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
		try {
			sandbox.faults([{ perMinute: 60, burst: 2, status: 429 }]);
			const statuses: number[] = [];
			for (const waitMs of [0, 0, 0, 999, 1, 5_000, 0, 0]) {
				jest.setSystemTime(Date.now() + waitMs);
				statuses.push((await get(sandbox, 'ping')).status);
			}
			expect(statuses).toEqual([200, 200, 429, 429, 200, 200, 200, 429]);
		} finally {
			jest.useRealTimers();
		}
	});

	it.each([
		[{ endpiont: 'ping' }, 'endpiont'],
		[{ status: 307, headers: { Location: 'a\nb' } }, 'headers'],
		[{ burst: 5, status: 429 }, 'burst'],
		[{ clockOffsetMs: 1e300 }, 'clockOffsetMs'],
	])('are rejected if invalid: %j', (fault, field) => {
		expect(() => sandbox.faults([fault as Fault])).toThrow(new RegExp(`^${field} `));
	});
});

describe('a delay', () => {
	useVirtualTime();
	const gateway = useNewGateways();

	it('applies to the response but not to the message', async () => {
		gateway.faults([{ latencyMs: 300, times: 1 }]);
		const startedAt = performance.now();
		const pending = post(gateway.account, 'sendMessage', textTo('4915112345678'));
		while (gateway.state().delivered.length === 0) await turn();
		expect(performance.now() - startedAt).toBe(0);
		expect((await pending).status).toBe(200);
		expect(performance.now() - startedAt).toBe(300);
	});
});
