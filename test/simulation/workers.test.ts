import { depth, isDeep } from '../harness/depth';
import { averages, oneLimitedChat, ROWS, SLOWEST, streamWaitMs } from './workers';

/** How well processes that know nothing of each other share the limit of an account, in virtual time. */

const SEEDS = depth(1, 20);
/** A few seeds may be worse than the average. */
const SLACK = depth(1.4, 1.05);

/** At most: the share of requests that get a 429, and the time relative to what the limit allows; and the same without bursts. */
const GOALS = new Map([
	[4, { refused: 0.2, time: 1.5, refusedEven: 0.45, timeEven: 2 }],
	[1, { refused: 0.08, time: 1.28, refusedEven: 0.08, timeEven: 1.25 }],
	[2, { refused: 0.14, time: 1.5, refusedEven: 0.3, timeEven: 2.2 }],
	[8, { refused: 0.39, time: 2.5, refusedEven: 0.6, timeEven: 2.5 }],
]);
const MIN_FAIRNESS = 0.85;

const rows = ROWS.filter(({ messages }) => isDeep || messages === 400);
// One process has the tests of limiter.test.ts.
const goals = [...GOALS].slice(0, depth(1, 4));
const cells = rows.flatMap((row) => goals.map((of) => [row.name, ...of, row] as const));

test.each(cells)(
	'%s, processes: %d',
	async (name, processes, goals, row) => {
		const measured = await averages(row, processes, SEEDS);
		const { refused, time } = row.isEven
			? { refused: goals.refusedEven, time: goals.timeEven }
			: goals;
		expect([measured.delivered, measured.failedRuns]).toEqual([1, 0]);
		expect(measured.refused).toBeLessThanOrEqual(refused * SLACK);
		if (name !== SLOWEST) expect(measured.time).toBeLessThanOrEqual(time * SLACK);
		if (processes === 4) expect(measured.fairness).toBeGreaterThanOrEqual(MIN_FAIRNESS / SLACK);
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

test('one limited chat delays the others by less than half', async () => {
	const limitedChat = { chat: 3, retryAfterSeconds: 3_600 };
	const alone = await oneLimitedChat(1_000);
	const { sent, ms } = await oneLimitedChat(1_000, limitedChat);
	expect([alone.sent, sent]).toEqual([1_000, 999]);
	expect(ms).toBeLessThanOrEqual(1.5 * alone.ms);
});
