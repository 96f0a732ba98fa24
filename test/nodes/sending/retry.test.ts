import { createHmac } from 'node:crypto';
import { type AddressInfo, createServer } from 'node:net';

import { type Fault, startSandbox } from '../../../sandbox/sandbox';
import { run } from '../../engine';
import { useGateway, useNewGateways } from '../../sandboxAccount';
import {
	answeredAt,
	gapsMs,
	keysSent,
	messages,
	quiet,
	receivedAt,
	type Sending,
	sending,
	timed,
} from './messages';

const UNKNOWN = 'unknown: it may have been sent';

/** The longest wait, in seconds: short, where a test is not about waiting. */
const maxWait = 0.02;

const keyed = { idempotencyKey: 'order-1' };

/** A time-out that the slow fault below outlasts. */
const hasty = { requestOptions: { timeout: 100 } };

const ambiguous: Array<[string, Fault, Sending['fields']?]> = [
	['a time-out', { latencyMs: 400 }, hasty],
	['a connection that is cut before the gateway took it', { cut: 'before' }],
	['a connection that is cut after the gateway took it', { cut: 'after' }],
	['500 before the gateway took it', { status: 500 }],
	['500 after the gateway took it', { status: 500, after: true }],
	['502', { status: 502 }],
	['504 after the gateway took it', { status: 504, after: true }],
	['503 without Retry-After', { status: 503 }],
	['503 whose Retry-After says nothing', { status: 503, retryAfter: 'soon' }],
];

const safe: Array<[string, Fault]> = [
	['429 with Retry-After', { status: 429, retryAfter: 0 }],
	['429 without Retry-After', { status: 429 }],
	['503 with Retry-After', { status: 503, retryAfter: 0 }],
];

describe.each([
	['in a workflow', false],
	['as a tool', true],
])('%s', (_name, asTool) => {
	const gateway = useNewGateways();

	const send = async (options: Record<string, unknown>, fields?: Sending['fields']) =>
		await run(sending(gateway, { asTool, fields, options: { maxWait, ...options } }));

	describe.each(ambiguous)('after %s', (_what, fault, fields) => {
		test('a message without a key is not sent again, and is reported as unknown', async () => {
			gateway.faults([fault]);
			const { error, items } = await send({}, fields);
			expect(error?.message).toContain(`; ${UNKNOWN} [item 0]`);
			expect(gateway.requests()).toHaveLength(1);
			expect(items).toEqual([]);
		});

		test('a message with a key is sent again, and arrives once', async () => {
			gateway.faults([{ ...fault, times: 2 }]);
			const { error, items } = await send(keyed, fields);
			expect(error).toBeUndefined();
			expect(items).toHaveLength(1);
			expect(gateway.requests()).toHaveLength(3);
			expect(gateway.state().delivered).toHaveLength(1);
		});

		test('a message with a key is unknown when its tries are used up', async () => {
			gateway.faults([fault]);
			const { error } = await send({ ...keyed, maxTries: 2 }, fields);
			expect(error?.message).toContain(`; ${UNKNOWN} [item 0]`);
			expect(error?.description).toContain('It was tried 2 times.');
			expect(gateway.requests()).toHaveLength(2);
		});
	});

	describe.each(safe)('after %s', (_what, fault) => {
		test('a message is sent again, key or not', async () => {
			gateway.faults([{ ...fault, times: 2 }]);
			const { error } = await send({});
			expect(error).toBeUndefined();
			expect(gateway.requests()).toHaveLength(3);
			expect(gateway.state().delivered).toHaveLength(1);
		});

		test('it is given up after three tries, and known not to have been sent', async () => {
			gateway.faults([fault]);
			const { error } = await send({});
			expect(gateway.requests()).toHaveLength(3);
			expect(error?.message).not.toContain('unknown');
			expect(error?.description).toContain('It was tried 3 times.');
		});
	});

	test.each([400, 401, 402, 403, 404, 405, 409, 413, 422])(
		'%i is final, even with a key',
		async (status) => {
			gateway.faults([{ status }]);
			const { error } = await send(keyed);
			expect(error?.message).toContain(`(${status}`);
			expect(error?.message).not.toContain('unknown');
			expect(gateway.requests()).toHaveLength(1);
		},
	);

	test.each([
		[1, 1],
		[2, 2],
		[5, 5],
		[20, 20],
		['={{ "4" }}', 4],
	])('with Max Tries %s it is tried so often', async (maxTries, count) => {
		gateway.faults([{ status: 503, retryAfter: 0 }]);
		await send({ maxTries });
		expect(gateway.requests()).toHaveLength(count);
	});

	test('what one try may have done stays unknown, whatever the next one is told', async () => {
		gateway.faults([
			{ cut: 'after', times: 1 },
			{ status: 503, retryAfter: 0, times: 1 },
			{ status: 422 },
		]);
		const { error } = await send(keyed);
		expect(gateway.requests()).toHaveLength(3);
		expect(error?.message).toBe(
			`The gateway did not accept a value in the request (422, validation_error); ${UNKNOWN} [item 0]`,
		);
	});

	test('a key that comes with the additional fields makes a message repeatable', async () => {
		gateway.faults([{ cut: 'after', times: 1 }]);
		const { error } = await send({ additionalFields: '{"idempotencyKey":"order-1"}' });
		expect(error).toBeUndefined();
		expect(keysSent(gateway)).toEqual(['order-1', 'order-1']);
		expect(gateway.state().delivered).toHaveLength(1);
	});

	test('a key that the additional fields take away does not', async () => {
		gateway.faults([{ cut: 'after', times: 1 }]);
		const { error } = await send({ ...keyed, additionalFields: '{"idempotencyKey":null}' });
		expect(error?.message).toContain(UNKNOWN);
		expect(gateway.requests()).toHaveLength(1);
	});

	test('every try is signed afresh', async () => {
		gateway.faults([{ status: 503, retryAfter: '0.02', times: 3 }]);
		await send({ maxTries: 4 });
		const requests = gateway.requests();
		const times = requests.map(({ headers }) => String(headers['x-api-timestamp']));
		expect(new Set(times).size).toBe(4);
		expect([...times].sort()).toEqual(times);
		for (const { headers, bodyText } of requests) {
			const expected = createHmac('sha256', gateway.secret)
				.update(`${String(headers['x-api-timestamp'])}${gateway.token}${bodyText}`)
				.digest('hex');
			expect(headers['x-api-signature']).toBe(expected);
		}
	});

	test('a connection that is refused is tried again without a key, for nothing was sent', async () => {
		const account = { ...gateway.account, baseUrl: `http://127.0.0.1:${await freePort()}` };
		const { error } = await run(sending(gateway, { asTool, account, options: { maxWait } }));
		expect(error?.message).toBe('Nothing answers at the address of the gateway [item 0]');
		expect(error?.description).toContain('It was tried 3 times.');
	});

	test('a gateway that comes up in time gets the message, once', async () => {
		const port = await freePort();
		const account = { ...gateway.account, baseUrl: `http://127.0.0.1:${port}` };
		const outcome = run(
			sending(gateway, { asTool, account, options: { maxTries: 20, maxWait: 0.1 } }),
		);
		const { token, secret } = gateway;
		// By now it has been refused.
		await quiet(150);
		const late = await startSandbox({ port, token, secret });
		late.setStatus('ONLINE');
		expect((await outcome).error).toBeUndefined();
		expect(late.state().delivered).toHaveLength(1);
		await late.close();
	});

	test('a host name that is not known is tried again without a key', async () => {
		const account = { ...gateway.account, baseUrl: 'http://gateway.invalid' };
		const { error } = await run(sending(gateway, { asTool, account, options: { maxWait } }));
		expect(error?.message).toMatch(/^The host name of the gateway (is not known|could not)/);
		expect(error?.message).not.toContain('unknown');
		expect(error?.description).toContain('It was tried 3 times.');
	});

	test('Retry-After in seconds is waited for', async () => {
		gateway.faults([{ status: 503, retryAfter: 1, times: 1 }]);
		await send({ maxWait: 60 });
		expect(gapsMs(gateway)[0]).toBeGreaterThanOrEqual(995);
		expect(gapsMs(gateway)[0]).toBeLessThan(2_000);
	});

	test.each([
		['seconds', () => 3_600],
		['a date', () => new Date(Date.now() + 3_600_000).toUTCString()],
	])('nobody waits longer than Max Wait, whatever Retry-After says in %s', async (_what, ask) => {
		gateway.faults([{ status: 429, retryAfter: ask(), times: 1 }]);
		await send({ maxWait: 0.3 });
		expect(gapsMs(gateway)[0]).toBeGreaterThanOrEqual(295);
		expect(gapsMs(gateway)[0]).toBeLessThan(1_000);
		expect(gateway.state().delivered).toHaveLength(1);
	});

	test('a date that is over is no reason to wait', async () => {
		gateway.faults([{ status: 503, retryAfter: new Date(0).toUTCString(), times: 5 }]);
		const { ms } = await timed(send({ maxWait: 60, maxTries: 6 }));
		expect(gateway.state().delivered).toHaveLength(1);
		// Five waits that grow would be eight seconds at least.
		expect(ms).toBeLessThan(3_000);
	});
});

describe('how often a look-up is tried', () => {
	const gateway = useGateway();

	test.each([
		['a refusal of the pace', { status: 429, retryAfter: 0 }],
		['a cut connection', { cut: 'before' }],
	] as Array<[string, Fault]>)('once, also after %s', async (_what, fault) => {
		gateway.faults([fault]);
		const { error } = await run({
			account: gateway.account,
			parameters: { resource: 'message', operation: 'inviteInfo', inviteCode: 'x' },
		});
		expect(error?.message).not.toContain(UNKNOWN);
		expect(gateway.requests()).toHaveLength(1);
	});
});

describe('over time', () => {
	const gateway = useNewGateways();

	test('Retry-After as a date is waited for', async () => {
		const retryAfter = new Date(Date.now() + 2_000).toUTCString();
		gateway.faults([{ status: 429, retryAfter, times: 1 }]);
		await run(sending(gateway));
		// Dates are in whole seconds.
		expect(gapsMs(gateway)[0]).toBeGreaterThanOrEqual(995);
		expect(gapsMs(gateway)[0]).toBeLessThan(3_000);
	});

	test('where the gateway says nothing, the wait grows: half a second at most, then one', async () => {
		gateway.faults([{ status: 429, times: 2 }]);
		await run(sending(gateway));
		const [first, second] = gapsMs(gateway);
		expect(first).toBeGreaterThanOrEqual(245);
		expect(first).toBeLessThan(900);
		expect(second).toBeGreaterThanOrEqual(495);
		expect(second).toBeLessThan(1_500);
	});

	test('a message in back-off keeps no other chat waiting', async () => {
		gateway.faults([{ status: 503, retryAfter: 1, times: 1 }]);
		const { items } = await run(sending(gateway, { items: messages(10) }));
		expect(items).toHaveLength(10);
		const [refused, ...others] = gateway.requests();
		const again = others.pop();
		expect(receivedAt(again) - answeredAt(refused)).toBeGreaterThanOrEqual(995);
		for (const other of others) {
			expect(receivedAt(other) - answeredAt(refused)).toBeLessThan(900);
		}
	});
});

async function freePort(): Promise<number> {
	const server = createServer().listen(0, '127.0.0.1');
	await new Promise((resolve) => server.once('listening', resolve));
	const { port } = server.address() as AddressInfo;
	await new Promise((resolve) => server.close(resolve));
	return port;
}
