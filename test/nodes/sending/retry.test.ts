import { createHmac } from 'node:crypto';

import type { Fault } from '../../../sandbox/sandbox';
import { run } from '../../harness/engine';
import { useNewGateways } from '../../harness/sandboxAccount';
import { useVirtualTime } from '../../harness/virtualTime';
import { BOTH_WAYS, gapsMs, keysSent, lookUp, type Sending, sending } from '../../harness/messages';

const UNKNOWN = 'unknown: it may have been sent';

useVirtualTime();
const gateway = useNewGateways();

/** Max Wait in seconds: short, for tests that are not about waiting. */
const maxWait = 0.02;

const keyed = { idempotencyKey: 'order-1' };

/** A timeout that is shorter than the latency below. */
const timeout = { requestOptions: { timeout: 30_000 } };

// test/gateway/errors/retryPolicy.test.ts has the decision for each status, code and text.
const ambiguous: Array<[string, Fault, Sending['fields']?]> = [
	['a timeout', { latencyMs: 31_000 }, timeout],
	['a connection reset after the gateway accepted it', { cut: 'after' }],
	['500 after the gateway accepted it', { status: 500, after: true }],
	['503 without Retry-After', { status: 503 }],
];

/** A 429 does not count as an attempt, but ends a run after Max Wait. */
const safe: Array<[string, Fault, Record<string, unknown>]> = [
	['429 with Retry-After', { status: 429, retryAfter: 0.9 }, { maxWait: 1.8 }],
	['429 without Retry-After', { status: 429 }, { maxWait: 1.8, maxTries: 2 }],
	['503 with Retry-After', { status: 503, retryAfter: 0 }, {}],
];

const send = async ({ options, ...more }: Sending) =>
	await run(sending(gateway, { options: { maxWait, ...options }, ...more }));

describe.each(BOTH_WAYS)('%s', (_name, asTool) => {
	describe.each(ambiguous)('after %s', (_what, fault, fields) => {
		test('does not retry a message without a key, and reports it as unknown', async () => {
			gateway.faults([fault]);
			const { error, items } = await send({ asTool, fields });
			expect(error?.message).toContain(`; ${UNKNOWN} [item 0]`);
			expect(gateway.requests()).toHaveLength(1);
			expect(items).toEqual([]);
		});

		test('retries a message with a key, and delivers it once', async () => {
			gateway.faults([{ ...fault, times: 2 }]);
			const { error, items } = await send({ asTool, options: keyed, fields });
			expect(error).toBeUndefined();
			expect(items).toHaveLength(1);
			expect(keysSent(gateway)).toEqual(['order-1', 'order-1', 'order-1']);
			expect(gateway.state().delivered).toHaveLength(1);
		});

		test('reports a message with a key as unknown after its last attempt', async () => {
			gateway.faults([fault]);
			const { error } = await send({ asTool, options: { ...keyed, maxTries: 2 }, fields });
			expect(error?.message).toContain(`; ${UNKNOWN} [item 0]`);
			expect(error?.description).toContain('The node made 2 attempts.');
			expect(gateway.requests()).toHaveLength(2);
		});
	});

	test.each(safe)('retries after %s, also without a key', async (_what, fault, options) => {
		gateway.faults([{ ...fault, times: 2 }]);
		expect((await send({ asTool, options })).error).toBeUndefined();
		expect(gateway.requests()).toHaveLength(3);
		expect(gateway.state().delivered).toHaveLength(1);

		gateway.clearRequests();
		gateway.faults([fault]);
		const { error } = await send({ asTool, options });
		const { length } = gateway.requests();
		// Without Retry-After, the waits are random.
		expect(length).toBeGreaterThanOrEqual(3);
		expect(length).toBeLessThanOrEqual(4);
		expect(error?.message).not.toContain('unknown');
		expect(error?.description).toContain(`The node made ${length} attempts.`);
	});
});

test.each([1, 20])('with Max Tries %i makes as many attempts', async (maxTries) => {
	gateway.faults([{ status: 503, retryAfter: 0 }]);
	await send({ options: { maxTries } });
	expect(gateway.requests()).toHaveLength(maxTries);
});

test('signs every attempt with a new timestamp', async () => {
	gateway.faults([{ status: 503, retryAfter: '0.02', times: 1 }]);
	await send({});
	const requests = gateway.requests();
	const times = requests.map(({ headers }) => String(headers['x-api-timestamp']));
	expect(Number(times[1])).toBeGreaterThan(Number(times[0]));
	for (const [index, { headers, bodyText }] of requests.entries()) {
		const expected = createHmac('sha256', gateway.secret)
			.update(`${times[index]}${gateway.token}${bodyText}`)
			.digest('hex');
		expect(headers['x-api-signature']).toBe(expected);
	}
});

test.each<[string, Fault, () => number | string, number, number]>([
	['a Retry-After in seconds', { status: 503 }, () => 1, 60, 1_000],
	['one as a date', { status: 429 }, () => inSeconds(2), 60, 2_000],
	['one of more than Max Wait', { status: 503 }, () => 3_600, 0.3, 300],
	['a late date', { status: 429 }, () => inSeconds(3_600), 0.3, 300],
])('waits for %s', async (_what, fault, retryAfter, seconds, gapMs) => {
	gateway.faults([{ ...fault, retryAfter: retryAfter(), times: 1 }]);
	await send({ options: { maxWait: seconds } });
	expect(gapsMs(gateway)).toEqual([gapMs]);
	expect(gateway.state().delivered).toHaveLength(1);
});

test.each<[Fault, number, number[]]>([
	// A gateway that has accepted no burst is tried again at least every 1.5 s.
	[{ status: 429 }, 0, [1_000, 1_500, 1_500]],
	[{ status: 429 }, 1, [500, 750, 750]],
	[{ cut: 'before' }, 0, [500, 1_000, 2_000]],
	[{ cut: 'before' }, 1, [250, 500, 1_000]],
])('after %j and with random %d, the delays are %j ms', async (fault, random, gaps) => {
	jest.spyOn(Math, 'random').mockReturnValue(random);
	gateway.faults([{ ...fault, times: 3 }]);
	await run(sending(gateway, { options: { ...keyed, maxTries: 4 } }));
	jest.restoreAllMocks();
	expect(gapsMs(gateway)).toEqual(gaps);
});

test.each<Fault>([{ status: 429, retryAfter: 0 }, { cut: 'before' }])(
	'a lookup is not retried after %j',
	async (fault) => {
		gateway.faults([fault]);
		const { error } = await run(lookUp(gateway));
		expect(error?.message).not.toContain(UNKNOWN);
		expect(gateway.requests()).toHaveLength(1);
	},
);

const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1_000).toUTCString();
