import type { Fault } from '../../../dev/sandbox/sandbox';
import { run, start } from '../../harness/engine';
import { useNewGateways } from '../../harness/sandboxAccount';
import { useVirtualTime } from '../../harness/virtualTime';
import {
	BOTH_WAYS,
	gapsMs,
	keysSent,
	lookUp,
	quiet,
	type Sending,
	sending,
} from '../../harness/messages';

// The simulation has the delays, Max Tries and Max Wait, and test/gateway/failures/retryPolicy.test.ts the decision for each response.
const UNKNOWN = 'unknown: it may have been sent';

useVirtualTime();
const gateway = useNewGateways();

/** A timeout that is shorter than the latency below. */
const timeout = { requestOptions: { timeout: 30_000 } };

const ambiguous: Array<[string, Fault, Sending['fields']]> = [
	['a timeout', { latencyMs: 31_000 }, timeout],
	['a connection reset after the gateway accepted it', { cut: 'after' }, {}],
	['500 after the gateway accepted it', { status: 500, after: true }, {}],
	['503 without Retry-After', { status: 503 }, {}],
];

/** Max Wait is short, because few tests are about waiting. */
async function send(fault: Fault, { options, ...more }: Sending = {}) {
	gateway.clearRequests();
	gateway.faults([fault]);
	return await run(sending(gateway, { options: { maxWait: 0.02, ...options }, ...more }));
}

describe.each(BOTH_WAYS)('%s', (_name, asTool) => {
	const unknown = asTool
		? `${UNKNOWN}. Check whether it arrived before you send it again`
		: UNKNOWN;
	test.each(ambiguous)(
		'after %s, retries a message only with a key, and reports it as unknown',
		async (_what, fault, fields) => {
			const job = { asTool, fields, options: { idempotencyKey: 'order-1' } };
			const { error, items } = await send({ ...fault, times: 2 }, job);
			expect(error).toBeUndefined();
			expect(items).toHaveLength(1);
			expect(keysSent(gateway)).toEqual(['order-1', 'order-1', 'order-1']);
			expect(gateway.state().delivered).toHaveLength(1);

			const options = { idempotencyKey: 'order-2', maxTries: 2 };
			const last = await send(fault, { ...job, options });
			expect(last.error?.message).toContain(`; ${unknown} [item 0]`);
			expect(last.error?.description).toContain('The node made 2 attempts.');
			expect(gateway.requests()).toHaveLength(2);

			const withoutKey = await send(fault, { asTool, fields });
			expect(withoutKey.error?.message).toContain(`; ${unknown} [item 0]`);
			expect(gateway.requests()).toHaveLength(1);
			expect(withoutKey.items).toEqual([]);
		},
	);
});

test.each<[string, () => number | string, number, number]>([
	['a Retry-After as a date', () => inSeconds(2), 60, 2_000],
	['one of more than Max Wait', () => 3_600, 0.251, 251],
])('waits for %s', async (_what, retryAfter, maxWait, gapMs) => {
	await send({ status: 503, retryAfter: retryAfter(), times: 1 }, { options: { maxWait } });
	expect(gapsMs(gateway)).toEqual([gapMs]);
	expect(gateway.state().delivered).toHaveLength(1);
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

// test/gateway/wire/signingClock.test.ts has codes and times, and test/nodes/request/sendRequest.test.ts what a second 401 reports.
const TEN_MINUTES = 600_000;
const statuses = () => gateway.requests().map(({ status }) => status);

describe('with a local clock behind that of the gateway', () => {
	beforeEach(() => gateway.faults([{ clockOffsetMs: TEN_MINUTES }]));

	test.each(BOTH_WAYS)(
		'signs again with the time of the gateway, which is no attempt, and remembers it: %s',
		async (_name, asTool) => {
			for (const expected of [[401, 200], [200]]) {
				gateway.clearRequests();
				const options = { maxTries: 1 };
				const { error, hints, items } = await run(sending(gateway, { asTool, options }));
				expect(error).toBeUndefined();
				expect(statuses()).toEqual(expected);
				expect(items[0]?.json).toMatchObject({ outcome: 'sent' });
				expect(hints).toHaveLength(1);
				expect(hints[0]?.message).toMatch(
					/^The clock of this n8n is (599|600|601) s behind the gateway's/,
				);
			}
		},
	);
});

test('after the local clock is set back by ten minutes, messages are still sent', async () => {
	const rightTime = Date.now.bind(Date);
	jest.spyOn(Date, 'now').mockImplementation(() => rightTime() + TEN_MINUTES);
	await run(sending(gateway));
	expect(statuses()).toEqual([401, 200]);
	jest.restoreAllMocks();
	const execution = start(sending(gateway));
	const done = execution.outcome.then(() => true);
	expect(await Promise.race([done, quiet(1_500).then(() => false)])).toBe(true);
	expect(statuses()).toEqual([401, 200, 200]);
});
