import { depth, isDeep } from '../harness/depth';
import { averages, lastingLimit, oneLimitedChat, ROWS, streamWaitMs } from './workers';

/** How well processes that know nothing of each other share the limit of an account, in virtual time. */

const ALL_SEEDS = 20;
const SEEDS = depth(1, ALL_SEEDS);
/** A few seeds may be worse than the average. */
const SLACK = SEEDS < ALL_SEEDS ? 1.4 : 1.05;
/** One process has the tests of limiter.test.ts. */
const PROCESSES = depth(1, 4);

/** At most: the share of requests that get a 429, and the time relative to what the limit allows. */
const GOALS = new Map([
	[1, { refused: 0.08, time: 1.28, refusedEven: 0.08, timeEven: 1.25 }],
	[2, { refused: 0.14, time: 1.5, refusedEven: 0.3, timeEven: 2.2 }],
	[4, { refused: 0.2, time: 1.5, refusedEven: 0.45, timeEven: 2 }],
	[8, { refused: 0.39, time: 2.5, refusedEven: 0.6, timeEven: 2.5 }],
]);
const MIN_FAIRNESS = 0.85;

/** Latency varies by 40 ms, so many requests of a 50 ms slot collide, and each 429 costs a second. */
const SLOWEST = 'one per 50 ms, Retry-After: 1';

const rows = ROWS.filter(({ messages }) => isDeep || messages === 400);
const cells = rows.flatMap((row) =>
	[4, 1, 2, 8].slice(0, PROCESSES).map((processes) => [row.name, processes, row] as const),
);

test.each(cells)(
	'%s, processes: %d',
	async (_name, processes, row) => {
		const { delivered, failedRuns, refused, time, fairness } = await averages(
			row,
			processes,
			SEEDS,
		);
		const goals = GOALS.get(processes)!;
		expect([delivered, failedRuns]).toEqual([1, 0]);
		expect(refused).toBeLessThanOrEqual((row.isEven ? goals.refusedEven : goals.refused) * SLACK);
		if (row.name !== SLOWEST) {
			expect(time).toBeLessThanOrEqual((row.isEven ? goals.timeEven : goals.time) * SLACK);
		}
		if (processes === 4) expect(fairness).toBeGreaterThanOrEqual(MIN_FAIRNESS / SLACK);
	},
	600_000,
);

test.each([4, 1].slice(0, depth(1, 2)))(
	'%d processes keep up with a stream at 80 % of the limit',
	async (processes) => {
		expect(await streamWaitMs(processes, 1, depth(7, 60))).toBeLessThanOrEqual(5_000);
	},
	600_000,
);

describe('a limit that lasts longer than Max Wait', () => {
	test.each([
		['with Retry-After', 3_600],
		['with a short Retry-After', 1],
		['without Retry-After', undefined],
	])('%s ends eight runs of one message within Max Wait and 2 s', async (_what, retryAfter) => {
		const { waits } = await lastingLimit(8, 0, retryAfter);
		expect(waits).toHaveLength(8);
		expect(Math.min(...waits)).toBeGreaterThanOrEqual(59_000);
		expect(Math.max(...waits)).toBeLessThanOrEqual(62_000);
	});

	test('ends each of 600 runs, one per second, in this time; later ones make one request', async () => {
		const { waits, requests } = await lastingLimit(600, 1_000, 3_600);
		expect(waits).toHaveLength(600);
		expect(Math.max(...waits)).toBeLessThanOrEqual(62_000);
		// Those of the first minute share the attempts that find out.
		expect(requests).toBeLessThanOrEqual(600 + 10);
		expect(waits.slice(-500).every((ms) => ms <= 1_000)).toBe(true);
	});
});

test('one limited chat delays the others by less than half', async () => {
	const limitedChat = { chat: 3, retryAfterSeconds: 3_600 };
	const alone = await oneLimitedChat(1_000);
	const { sent, ms } = await oneLimitedChat(1_000, limitedChat);
	expect([alone.sent, sent]).toEqual([1_000, 999]);
	expect(ms).toBeLessThanOrEqual(1.5 * alone.ms);
});
