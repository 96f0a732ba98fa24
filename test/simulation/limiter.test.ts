import { RateLimiter } from '../../nodes/MessagingGateway/sending/rateLimiter';
import type { Attempt, RunRecord } from './records';
import type { GatewaySpec, RunSpec } from './scenario';
import { simulate } from './simulate';
import { GATEWAY, runOf as run } from './workers';

/** The rate limit of an account, in single scenarios with numbers. */

const SECOND = 1_000;
const MINUTE = 60_000;

const constant = (ms: number) => ({ minMs: ms, maxMs: ms });
const gateway = (changes: Partial<GatewaySpec> = {}): GatewaySpec => ({
	...GATEWAY,
	latency: constant(20),
	...changes,
});

async function play(of: GatewaySpec, ...executions: RunSpec[]) {
	const scenario = { seed: 1, timerDelayMs: 0, clockErrorMs: 0, gateways: [of], executions };
	const { accounts, runs, violations } = await simulate(scenario);
	expect(violations).toEqual([]);
	const { attempts } = accounts[0]!;
	const accepted = attempts.filter(({ acceptedAt }) => acceptedAt !== undefined);
	const refused = attempts.filter(({ reply }) => reply?.meaning === 'refused');
	// In the order of their starts.
	return { runs, attempts, accepted, refused };
}

/** The times between one attempt and the next. */
const gaps = (attempts: Attempt[]) =>
	attempts.slice(1).map(({ startedAt }, index) => startedAt - attempts[index]!.startedAt);

const meanings = ({ attempts }: RunRecord) => attempts.map(({ reply }) => reply?.meaning);

describe('a limit that does not lift', () => {
	const exhausted = gateway({ plan: { messages: 0, retryAfterSeconds: 1 } });

	test('does not end a later run because of 429s that another run got long ago', async () => {
		const slow = gateway({ plan: { messages: 0 }, latency: constant(5 * SECOND) });
		const { runs } = await play(
			slow,
			run({ maxWaitMs: 100 }),
			run({ atMs: 20 * MINUTE, count: 3, maxWaitMs: SECOND }),
		);
		const times = runs[1]!.attempts.map(({ startedAt }) => startedAt);
		expect(times.slice(0, 3)).toEqual(Array(3).fill(20 * MINUTE));
	});

	test('ends a run that gives up while it waits for its own pace', async () => {
		const { runs } = await play(
			exhausted,
			run({ maxWaitMs: 10 * SECOND }),
			run({ atMs: MINUTE, count: 2, maxWaitMs: 10 * SECOND, perMinute: 0.1 }),
		);
		const [, later] = runs;
		expect(later!.attempts).toHaveLength(1);
		expect(later!.endedAt - later!.startedAt).toBeLessThanOrEqual(SECOND);
	});

	test('ends a run of one message after Max Wait, even with minutes between its 429s', async () => {
		const { runs } = await play(
			gateway({ plan: { messages: 0, retryAfterSeconds: 120 } }),
			run({ maxWaitMs: 5 * MINUTE }),
		);
		expect(runs[0]!.endedAt).toBeLessThanOrEqual(5 * MINUTE + 2 * SECOND);
	});

	test('is tried again at once if the message that tried it was rejected for another reason', async () => {
		const { runs } = await play(
			gateway({ bucket: { capacity: 1, perSecond: 1, announces: 'seconds' } }),
			run({ count: 2, rejected: 0 }),
			run({ atMs: 1_200 }),
		);
		const [first, second] = runs;
		expect(meanings(first!)).toEqual(['refused', 'success', 'permanent']);
		expect(second!.attempts[0]!.startedAt).toBe(second!.startedAt);
	});

	test('of one chat ends no run that starts to wait after Max Wait', async () => {
		const { runs } = await play(
			gateway({
				latency: constant(3 * SECOND),
				limitedChat: { chat: 0, retryAfterSeconds: 3_600 },
			}),
			// 429s after 6 s and 69 s.
			run({}),
			// To another chat.
			run({ atMs: 68 * SECOND, count: 2, invalid: 0 }),
		);
		expect(meanings(runs[1]!)).toEqual(['success']);
	});

	test('of one chat fails its message soon after Max Wait, although the account accepts others', async () => {
		const { runs } = await play(
			gateway({ limitedChat: { chat: 0, retryAfterSeconds: 3_600 } }),
			run({ maxWaitMs: MINUTE }),
			run({ count: 60, invalid: 0, perMinute: 6 }),
		);
		const [limited, others] = runs;
		expect(others!.endedAt).toBeGreaterThan(9 * MINUTE);
		expect(limited!.endedAt).toBeLessThan(2 * MINUTE);
	});
});

describe('a limit without Retry-After', () => {
	test('lets runs take turns, so a short one does not wait until a long one has ended', async () => {
		const bucket = { capacity: 1, perSecond: 1, announces: 'nothing' as const };
		const { runs } = await play(
			gateway({ bucket }),
			run({ count: 40 }),
			run({ atMs: 20 * SECOND }),
		);
		const [long, short] = runs;
		expect(long!.endedAt).toBeGreaterThan(35 * SECOND);
		expect(short!.endedAt).toBeLessThan(25 * SECOND);
	});

	/** How long a bucket takes for this many messages. */
	const allowedMs = (count: number, capacity: number, perSecond: number) =>
		((count - capacity) / perSecond) * SECOND;

	test.each([
		['60 messages, 30 per minute, Stop', 60, 30, 0.5, true, 0.25],
		// Of the first ten, only one is accepted.
		['60 messages, 30 per minute, no burst', 60, 1, 0.5, false, 0.3],
		['6,000 messages, 20 per second, no burst', 6_000, 1, 20, false, 0.15],
	])('%s: all arrive, nearly as fast as possible', async (...settings) => {
		const [, count, capacity, perSecond, stopOnFailure, maxRefused] = settings;
		const bucket = { capacity, perSecond, announces: 'nothing' as const };
		const { runs, attempts, accepted, refused } = await play(
			gateway({ bucket }),
			run({ count, stopOnFailure }),
		);
		expect(accepted).toHaveLength(count);
		expect(refused.length / attempts.length).toBeLessThanOrEqual(maxRefused);
		expect(runs[0]!.endedAt).toBeLessThanOrEqual(1.3 * allowedMs(count, capacity, perSecond));
	});
});

describe('with slow responses', () => {
	test.each([
		['10 per second, 400 messages', 1, 10, 400, 0.2],
		['20 per second, 2,000 messages', 20, 20, 2_000, 0.2],
	])('of 1 s, many at a time do not hide the limit: %s', async (...settings) => {
		const [, capacity, perSecond, count, maxRefused] = settings;
		const bucket = { capacity, perSecond, announces: 'seconds' as const };
		const latency = constant(SECOND);
		const { attempts, accepted, refused } = await play(
			gateway({ bucket, latency }),
			run({ count, concurrency: 50 }),
		);
		expect(accepted).toHaveLength(count);
		expect(refused.length / attempts.length).toBeLessThanOrEqual(maxRefused);
	});

	test('the next message starts soon after the first one is accepted again', async () => {
		const { attempts, refused } = await play(
			gateway({ bucket: { capacity: 100, perSecond: 50, announces: 'seconds' } }),
			run({ count: 300, concurrency: 50 }),
		);
		const first = attempts.findIndex(
			({ startedAt }) => startedAt >= refused[0]!.endedAt + 0.9 * SECOND,
		);
		expect(gaps(attempts)[first]).toBeLessThanOrEqual(50);
	});

	test('a 429 to a request that was on its way at the last 429 says nothing new', () => {
		const limiter = new RateLimiter(() => 0);
		const early = Array.from({ length: 12 }, () => limiter.recordStart(0));
		for (let index = 0; index < 6; index++) limiter.onAccepted(early[index]!, 10);
		limiter.onRateLimited(early[6]!, 20, MINUTE, 1_000);
		expect(limiter.notBefore).toBe(1_020);
		for (let index = 7; index < 12; index++)
			limiter.onRateLimited(early[index]!, 140, MINUTE, 1_000);
		expect(limiter.series(140)).toMatchObject({ since: 20, count: 1 });
		// The wait that they announce applies.
		expect(limiter.notBefore).toBe(1_140);
	});
});
