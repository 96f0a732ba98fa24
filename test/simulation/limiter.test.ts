import { RateLimiter } from '../../nodes/MessagingGateway/sending/rateLimiter';
import { Coverage } from './coverage';
import type { Attempt, RunRecord } from './records';
import { KNOWN_DEFECTS } from './rules';
import type { ExecutionSpec, GatewaySpec, RunSpec, ToolSpec } from './scenario';
import { simulate } from './simulate';

/** The rate limit of an account, in single scenarios with numbers. */

const SECOND = 1_000;
const MINUTE = 60_000;

const gateway = (changes: Partial<GatewaySpec> = {}): GatewaySpec => ({
	latency: { kind: 'constant', ms: 20 },
	outages: [],
	faultChance: 0,
	faults: [],
	defers: false,
	duplicates: 'replay',
	clockErrorMs: 0,
	...changes,
});

/** With the defaults of the node. */
const run = (changes: Partial<RunSpec> = {}): RunSpec => ({
	kind: 'run',
	atMs: 0,
	times: 1,
	everyMs: 0,
	accounts: [0],
	count: 1,
	parts: 1,
	chats: 1_000_000,
	keys: 'none',
	concurrency: 10,
	perMinute: 0,
	jitter: 0,
	batch: { size: 1, breakMs: 0 },
	maxTries: 3,
	maxWaitMs: MINUTE,
	timeoutMs: 5 * MINUTE,
	stopOnFailure: false,
	checksOnline: false,
	loadMs: 0,
	reading: { busyMs: 0, waitMs: 0 },
	...changes,
});

const tool = (changes: Partial<ToolSpec>): ToolSpec => ({
	kind: 'tool',
	atMs: 0,
	account: 0,
	parts: 1,
	hasKey: false,
	perMinute: 0,
	maxTries: 3,
	maxWaitMs: MINUTE,
	timeoutMs: MINUTE,
	...changes,
});

async function play(of: GatewaySpec, ...executions: ExecutionSpec[]) {
	const { world, violations } = await simulate(
		{ seed: 1, timerDelayMs: 0, clockErrorMs: 0, gateways: [of], executions },
		new Coverage(),
		KNOWN_DEFECTS,
	);
	expect(violations).toEqual([]);
	const { runs } = world;
	const { attempts } = world.accounts[0]!;
	const accepted = attempts.filter(({ acceptedAt }) => acceptedAt !== undefined);
	const refused = attempts.filter(({ reply }) => reply?.meaning === 'refused');
	return { runs, attempts, accepted, refused };
}

/** The times between one attempt and the next. */
const gaps = (attempts: Attempt[]) =>
	attempts.slice(1).map(({ startedAt }, index) => startedAt - attempts[index]!.startedAt);

const waited = ({ startedAt, attempts }: RunRecord) =>
	(attempts[0]?.startedAt ?? Infinity) - startedAt;
const ofKind = (runs: RunRecord[], kind: RunRecord['kind']) =>
	runs.filter((one) => one.kind === kind);
const end = (runs: RunRecord[]) => Math.max(...runs.map(({ endedAt }) => endedAt));
describe('a limit that does not lift', () => {
	const exhausted = gateway({ plan: { messages: 0, retryAfterSeconds: 1 } });

	test('costs at most one request per second in Max Wait, beyond those in flight', async () => {
		const { attempts, refused } = await play(exhausted, run({ count: 12 }));
		expect(refused).toHaveLength(attempts.length);
		expect(attempts.length).toBeLessThanOrEqual(70);
	});

	test('costs later runs one request each', async () => {
		const { runs } = await play(
			exhausted,
			run({ count: 100, maxWaitMs: 10 * SECOND }),
			run({ atMs: 5 * MINUTE, count: 100, maxWaitMs: 10 * SECOND }),
		);
		const later = runs.filter(({ startedAt }) => startedAt === 5 * MINUTE);
		expect(later.flatMap(({ attempts }) => attempts)).toHaveLength(1);
		expect(later[0]!.endedAt - later[0]!.startedAt).toBeLessThanOrEqual(15 * SECOND);
	});

	test('ends a run that gives up during its own break', async () => {
		const { runs } = await play(
			exhausted,
			run({ maxWaitMs: 10 * SECOND }),
			run({
				atMs: MINUTE,
				count: 2,
				maxWaitMs: 10 * SECOND,
				batch: { size: 1, breakMs: 10 * MINUTE },
			}),
		);
		const later = runs.find(({ startedAt }) => startedAt === MINUTE)!;
		expect(later.attempts).toHaveLength(1);
		expect(later.endedAt - later.startedAt).toBeLessThanOrEqual(SECOND);
	});

	test('is tried again at once if the message that tried it was rejected for another reason', async () => {
		const { runs } = await play(
			gateway({ bucket: { capacity: 1, perSecond: 1, announces: 'seconds' } }),
			run({ count: 2, rejected: 0 }),
			run({ atMs: 1_200 }),
		);
		const [first, second] = ofKind(runs, 'run');
		expect(first!.attempts.map(({ reply }) => reply?.meaning)).toEqual([
			...['refused', 'success', 'permanent'],
		]);
		expect(waited(second!)).toBe(0);
	});

	test('of one chat ends no run that starts to wait after Max Wait', async () => {
		const { runs } = await play(
			gateway({
				latency: { kind: 'constant', ms: 3 * SECOND },
				limitedChat: { chat: 0, retryAfterSeconds: 3_600 },
			}),
			// 429s after 6 s and 69 s.
			run(),
			tool({ atMs: 68 * SECOND }),
		);
		const results = ofKind(runs, 'tool').flatMap(({ attempts }) => attempts);
		expect(results.map(({ reply }) => reply?.meaning)).toEqual(['success']);
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
		const [long, short] = ofKind(runs, 'run');
		expect(end([long!])).toBeGreaterThan(35 * SECOND);
		expect(end([short!])).toBeLessThan(25 * SECOND);
	});

	/** How long a bucket takes for this many messages. */
	const allowedMs = (count: number, capacity: number, perSecond: number) =>
		((count - capacity) / perSecond) * SECOND;

	test.each([
		['60 messages, 30 per minute, Continue', 60, 30, 0.5, false, 0.25],
		['60 messages, 30 per minute, Stop', 60, 30, 0.5, true, 0.25],
		// Of the first ten, only one is accepted.
		['60 messages, 30 per minute, no burst', 60, 1, 0.5, false, 0.3],
		['6,000 messages, 20 per second', 6_000, 20, 20, false, 0.15],
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
		expect(end(runs)).toBeLessThanOrEqual(1.3 * allowedMs(count, capacity, perSecond));
	});
});

describe('with slow responses', () => {
	test.each([
		['1 per second, 200 messages', 20, 1, 200, 0.4],
		['10 per second, 400 messages', 1, 10, 400, 0.2],
		['20 per second, 2,000 messages', 20, 20, 2_000, 0.2],
	])('of 1 s, many at a time do not hide the limit: %s', async (...settings) => {
		const [, capacity, perSecond, count, maxRefused] = settings;
		const bucket = { capacity, perSecond, announces: 'seconds' as const };
		const latency = { kind: 'constant' as const, ms: SECOND };
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

	test('the last message of a run starts soon after another one is accepted again', async () => {
		const { runs, refused } = await play(
			gateway({ bucket: { capacity: 1, perSecond: 10, announces: 'seconds' } }),
			run({ count: 3 }),
		);
		expect(refused).toHaveLength(2);
		expect(end(runs)).toBeLessThan(4 * SECOND);
	});

	test('a 429 to a request that was on its way at the last 429 says nothing new', () => {
		const limiter = new RateLimiter(() => 0);
		const early = Array.from({ length: 12 }, () => limiter.start(0));
		for (let index = 0; index < 6; index++) limiter.onAccepted(early[index]!, 10);
		limiter.onRateLimited(early[6]!, 20, MINUTE, 1_000);
		expect(limiter.notBefore).toBe(1_020);
		for (let index = 7; index < 12; index++)
			limiter.onRateLimited(early[index]!, 140, MINUTE, 1_000);
		expect(limiter.series(140)).toMatchObject({ since: 20, count: 1 });
		// The wait that they announce applies.
		expect(limiter.notBefore).toBe(1_140);
	});

	test('a burst of refusals that were in flight together counts as one', async () => {
		// The refusals of the first 50 requests arrive over two seconds.
		const { runs, accepted } = await play(
			gateway({
				latency: { kind: 'uniform', minMs: 10, maxMs: 2_000 },
				bucket: { capacity: 1, perSecond: 20, announces: 'exact' },
			}),
			run({ count: 300, concurrency: 50, maxTries: 20 }),
		);
		expect(accepted).toHaveLength(300);
		expect(end(runs)).toBeLessThanOrEqual(4 * MINUTE);
	});
});
