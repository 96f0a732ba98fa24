import { createHmac } from 'node:crypto';
import { type AddressInfo, createServer } from 'node:net';

import { type Fault, startSandbox } from '../../../sandbox/sandbox';
import { run } from '../../harness/engine';
import { useNewGateways } from '../../harness/sandboxAccount';
import { useVirtualTime } from '../../harness/virtualTime';
import {
	answeredAt,
	gapsMs,
	keysSent,
	messages,
	quiet,
	receivedAt,
	type Sending,
	sending,
} from '../../harness/messages';

const UNKNOWN = 'unknown: it may have been sent';

useVirtualTime();

/** Max Wait in seconds: short, for tests that are not about waiting. */
const maxWait = 0.02;

const keyed = { idempotencyKey: 'order-1' };

/** A timeout that is shorter than the latency below. */
const timeout = { requestOptions: { timeout: 30_000 } };

const ambiguous: Array<[string, Fault, Sending['fields']?]> = [
	['a timeout', { latencyMs: 31_000 }, timeout],
	['a connection reset before the gateway accepted it', { cut: 'before' }],
	['a connection reset after the gateway accepted it', { cut: 'after' }],
	['500 before the gateway accepted it', { status: 500 }],
	['500 after the gateway accepted it', { status: 500, after: true }],
	['502', { status: 502 }],
	['504 after the gateway accepted it', { status: 504, after: true }],
	['503 without Retry-After', { status: 503 }],
	['503 with an invalid Retry-After', { status: 503, retryAfter: 'soon' }],
];

/** A 429 does not count as an attempt, but ends a run after Max Wait. */
const safe: Array<[string, Fault, Record<string, unknown>]> = [
	['429 with Retry-After', { status: 429, retryAfter: 0.9 }, { maxWait: 1.8 }],
	['429 without Retry-After', { status: 429 }, { maxWait: 1.8, maxTries: 2 }],
	['503 with Retry-After', { status: 503, retryAfter: 0 }, {}],
];

describe.each([
	['in a workflow', false],
	['as a tool', true],
])('%s', (_name, asTool) => {
	const gateway = useNewGateways();

	const send = async (options: Record<string, unknown>, fields?: Sending['fields']) =>
		await run(sending(gateway, { asTool, fields, options: { maxWait, ...options } }));

	describe.each(ambiguous)('after %s', (_what, fault, fields) => {
		test('does not retry a message without a key, and reports it as unknown', async () => {
			gateway.faults([fault]);
			const { error, items } = await send({}, fields);
			expect(error?.message).toContain(`; ${UNKNOWN} [item 0]`);
			expect(gateway.requests()).toHaveLength(1);
			expect(items).toEqual([]);
		});

		test('retries a message with a key, and delivers it once', async () => {
			gateway.faults([{ ...fault, times: 2 }]);
			const { error, items } = await send(keyed, fields);
			expect(error).toBeUndefined();
			expect(items).toHaveLength(1);
			expect(gateway.requests()).toHaveLength(3);
			expect(gateway.state().delivered).toHaveLength(1);
		});

		test('reports a message with a key as unknown after its last attempt', async () => {
			gateway.faults([fault]);
			const { error } = await send({ ...keyed, maxTries: 2 }, fields);
			expect(error?.message).toContain(`; ${UNKNOWN} [item 0]`);
			expect(error?.description).toContain('The node made 2 attempts.');
			expect(gateway.requests()).toHaveLength(2);
		});
	});

	describe.each(safe)('after %s', (_what, fault, options) => {
		test('retries a message without a key', async () => {
			gateway.faults([{ ...fault, times: 2 }]);
			const { error } = await send(options);
			expect(error).toBeUndefined();
			expect(gateway.requests()).toHaveLength(3);
			expect(gateway.state().delivered).toHaveLength(1);
		});

		test('fails after some attempts, and does not report it as unknown', async () => {
			gateway.faults([fault]);
			const { error } = await send(options);
			const { length } = gateway.requests();
			// Without Retry-After, the waits are random.
			expect(length).toBeGreaterThanOrEqual(3);
			expect(length).toBeLessThanOrEqual(4);
			expect(error?.message).not.toContain('unknown');
			expect(error?.description).toContain(`The node made ${length} attempts.`);
		});
	});

	test.each([400, 401, 402, 403, 404, 405, 409, 413, 422])(
		'does not retry a %i, even with a key',
		async (status) => {
			gateway.faults([{ status }]);
			const { error } = await send(keyed);
			expect(error?.message).toContain(`(${status}`);
			expect(error?.message).not.toContain('unknown');
			expect(gateway.requests()).toHaveLength(1);
		},
	);

	describe.each([409, 425])('after a %i without a known cause', (status) => {
		const fault: Fault = { status, body: { contentType: 'application/json', text: '{}' } };

		test('retries a message with a key, whose first attempt may be in progress', async () => {
			gateway.faults([{ ...fault, times: 1 }]);
			expect((await send(keyed)).items[0]?.json.outcome).toBe('sent');
			expect(keysSent(gateway)).toEqual(['order-1', 'order-1']);
		});

		test('reports it as unknown if that does not end', async () => {
			gateway.faults([fault]);
			expect((await send({ ...keyed, maxTries: 2 })).error?.message).toContain(UNKNOWN);
		});

		test('does not retry a message without a key, which was not sent', async () => {
			gateway.faults([fault]);
			expect((await send({})).error?.message).not.toContain('unknown: ');
			expect(gateway.requests()).toHaveLength(1);
		});
	});

	test.each([
		[1, 1],
		[2, 2],
		[5, 5],
		[20, 20],
		['={{ "4" }}', 4],
	])('with Max Tries %s makes %i attempts', async (maxTries, count) => {
		gateway.faults([{ status: 503, retryAfter: 0 }]);
		await send({ maxTries });
		expect(gateway.requests()).toHaveLength(count);
	});

	test('keeps the result unknown, whatever the next attempts return', async () => {
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

	test('retries a message with a key in its additional fields', async () => {
		gateway.faults([{ cut: 'after', times: 1 }]);
		const { error } = await send({ additionalFields: '{"idempotencyKey":"order-1"}' });
		expect(error).toBeUndefined();
		expect(keysSent(gateway)).toEqual(['order-1', 'order-1']);
		expect(gateway.state().delivered).toHaveLength(1);
	});

	test('rejects additional fields that remove the key', async () => {
		const { error } = await send({ ...keyed, additionalFields: '{"idempotencyKey":null}' });
		expect(error?.message).toBe(
			"'Additional Fields' contains 'idempotencyKey', which the node sets itself [item 0]",
		);
		expect(gateway.requests()).toEqual([]);
	});

	test('signs every attempt with a new timestamp', async () => {
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

	test('retries a refused connection without a key, because nothing was sent', async () => {
		const account = { ...gateway.account, baseUrl: `http://127.0.0.1:${await freePort()}` };
		const { error } = await run(sending(gateway, { asTool, account, options: { maxWait } }));
		expect(error?.message).toBe("The connection to the gateway's address was refused [item 0]");
		expect(error?.description).toContain('The node made 3 attempts.');
	});

	test('delivers the message once to a gateway that starts late', async () => {
		const port = await freePort();
		const account = { ...gateway.account, baseUrl: `http://127.0.0.1:${port}` };
		const outcome = run(
			sending(gateway, { asTool, account, options: { maxTries: 20, maxWait: 0.1 } }),
		);
		const { token, secret } = gateway;
		// The first connection has been refused by now.
		await quiet(150);
		const late = await startSandbox({ port, token, secret });
		late.setStatus('ONLINE');
		expect((await outcome).error).toBeUndefined();
		expect(late.state().delivered).toHaveLength(1);
		await late.close();
	});

	test('retries an unknown host name without a key', async () => {
		const account = { ...gateway.account, baseUrl: 'http://gateway.invalid' };
		const { error } = await run(sending(gateway, { asTool, account, options: { maxWait } }));
		expect(error?.message).toMatch(/^The gateway's host name (was not found|could not)/);
		expect(error?.message).not.toContain('unknown');
		expect(error?.description).toContain('The node made 3 attempts.');
	});

	test('waits for Retry-After in seconds', async () => {
		gateway.faults([{ status: 503, retryAfter: 1, times: 1 }]);
		await send({ maxWait: 60 });
		expect(gapsMs(gateway)).toEqual([1_000]);
	});

	test.each([
		['in seconds', () => 3_600],
		['as a date', () => new Date(Date.now() + 3_600_000).toUTCString()],
	])('waits no longer than Max Wait for a Retry-After %s', async (_what, ask) => {
		gateway.faults([{ status: 429, retryAfter: ask(), times: 1 }]);
		await send({ maxWait: 0.3 });
		expect(gapsMs(gateway)).toEqual([300]);
		expect(gateway.state().delivered).toHaveLength(1);
	});

	test('does not wait for a date in the past', async () => {
		gateway.faults([{ status: 503, retryAfter: new Date(0).toUTCString(), times: 5 }]);
		await send({ maxWait: 60, maxTries: 6 });
		expect(gateway.state().delivered).toHaveLength(1);
		expect(gapsMs(gateway)).toEqual([0, 0, 0, 0, 0]);
	});
});

describe('a lookup', () => {
	const gateway = useNewGateways();

	test.each([
		['a rate limit', { status: 429, retryAfter: 0 }],
		['a connection reset', { cut: 'before' }],
	] as Array<[string, Fault]>)('is not retried after %s', async (_what, fault) => {
		gateway.faults([fault]);
		const { error } = await run({
			account: gateway.account,
			parameters: { resource: 'message', operation: 'inviteInfo', inviteCode: 'x' },
		});
		expect(error?.message).not.toContain(UNKNOWN);
		expect(gateway.requests()).toHaveLength(1);
	});
});

describe('the delay', () => {
	const gateway = useNewGateways();

	afterEach(() => jest.restoreAllMocks());

	test('is Retry-After if it is a date', async () => {
		const retryAfter = new Date(Date.now() + 2_000).toUTCString();
		gateway.faults([{ status: 429, retryAfter, times: 1 }]);
		await run(sending(gateway));
		expect(gapsMs(gateway)).toEqual([2_000]);
	});

	test.each([
		// A gateway that has accepted no burst is tried again at least every 1.5 s.
		[0, [1_000, 1_500, 1_500]],
		[1, [500, 750, 750]],
	])('without Retry-After, and with random %d, is %j ms', async (random, gaps) => {
		jest.spyOn(Math, 'random').mockReturnValue(random);
		gateway.faults([{ status: 429, times: 3 }]);
		await run(sending(gateway, { options: { maxTries: 4 } }));
		expect(gapsMs(gateway)).toEqual(gaps);
	});

	test('of one message does not delay other chats', async () => {
		gateway.faults([{ status: 503, retryAfter: 1, times: 1 }]);
		const { items } = await run(sending(gateway, { items: messages(10) }));
		expect(items).toHaveLength(10);
		const [refused, ...others] = gateway.requests();
		const after = others.map((other) => receivedAt(other) - answeredAt(refused));
		expect(after).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 1_000]);
	});
});

async function freePort(): Promise<number> {
	const server = createServer().listen(0, '127.0.0.1');
	await new Promise((resolve) => server.once('listening', resolve));
	const { port } = server.address() as AddressInfo;
	await new Promise((resolve) => server.close(resolve));
	return port;
}
