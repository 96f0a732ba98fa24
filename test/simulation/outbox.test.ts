import type { IDataObject } from 'n8n-workflow';

import { depth } from '../harness/depth';
import { type OutboxScenario, simulate } from './outbox';
import {
	expectDelivered,
	expectFast,
	GATEWAYS,
	messagesOf,
	nameOf,
	orders,
	RUNNING,
	START,
} from './outboxRules';
import { randomFrom } from './random';

/** The outbox in virtual time: its own workflow in n8n's engine, the node's sending engine, and slow gateways. */

const gatewayOf = (name: string) => GATEWAYS.find((gateway) => nameOf(gateway) === name)!;
const SLOW = '15 per minute, 0.05 s per message, one at a time';
const FAST = gatewayOf('60 per minute, 0.05 s per message, in parallel');

test.each([
	[depth(50, 100), SLOW],
	[20, '3 per minute, 4 s per message, in parallel, 429s of 60 s'],
	[40, '60 per minute, 8 s per message, one at a time'],
	[depth(50, 100), '60 per minute, 20 s per message, in parallel'],
	// The rate limiter forgets nothing that it has learned at the 429s, and lets many waits pass before it tries more.
	[depth(100, 1_000), '15 per minute, 4 s per message, in parallel, 429s of 60 s'],
	[depth(80, 1_500), '60 per minute, 0.05 s per message, one at a time, 429s of 60 s'],
])('sends %d rows once, as fast as the gateway accepts: %s', async (count, name) => {
	const { rows } = await expectFast({ gateway: gatewayOf(name), rows: orders(count) });
	// One that the limit held back has used no attempt.
	expect(new Set(rows.map(({ attempts }) => attempts))).toEqual(new Set([1]));
});

// The row that is in Send when the process is killed is sent again with the same key, so the gateway drops it.
test.each([10, 20, 22, 24, 38, 54])('sends each row once if killed at step %d', async (step) => {
	const { sends } = await expectDelivered({ gateway: FAST, rows: orders(20), killAtStep: step });
	expect(Math.max(...sends)).toBeLessThanOrEqual(2);
});

test('never has two runs for one number, however many start at the same time', async () => {
	for (let seed = 1; seed <= depth(5, 200); seed++) {
		const gateway = seed <= 5 ? FAST : GATEWAYS[seed % GATEWAYS.length]!;
		await expectDelivered({ gateway, rows: orders(10), seed, startsAtOnce: 4, workers: 3 });
	}
});

test.each<[string, Partial<OutboxScenario>]>([
	['operations that take up to a minute', { slowMs: 60_000 }],
	['clocks that jump a minute ahead', { clockJump: { atMs: 15_000, byMs: 60_000 } }],
	['clocks that jump a minute back', { clockJump: { atMs: 15_000, byMs: -60_000 } }],
])('one run holds a row, whatever happens: %s', async (_, scenario) => {
	for (let seed = 1; seed <= depth(2, 100); seed++) {
		const gateway = gatewayOf(SLOW);
		await expectDelivered({ gateway, rows: orders(12), seed, startsAtOnce: 2, ...scenario });
	}
});

// It grew by the speed of the last batch, and half a row more than one is one: 32 s for each order. Of one at a time, two are tried
// now and then, and the second one may be sent again.
test.each([
	[200, false, 15 * 60_000, 200],
	[40, true, 40 * 30_000 * 1.3, 50],
])('finds out how many messages a slow gateway takes: %d rows', async (count, ...expected) => {
	const [oneAtATime, maxMs, maxRequests] = expected;
	const gateway = { perMinute: 1_000, secondsPerMessage: 30, oneAtATime };
	const { settledMs, requests } = await expectDelivered({ gateway, rows: orders(count) });
	expect(settledMs).toBeLessThan(maxMs);
	expect(requests).toBeLessThanOrEqual(maxRequests);
});

test('callers that repeat a request cost rows, and no requests to the gateway', async () => {
	const all = orders(30).flatMap((row, index) => {
		const order = { ...row, requestId: `request ${index}` };
		return Array.from({ length: 1 + (index % 8) }, () => order);
	});
	const outcome = await simulate({ gateway: { ...FAST, perMinute: 6_000 }, rows: all });
	expect(new Set(outcome.rows.map(({ status }) => status))).toEqual(new Set(['sent']));
	expect([outcome.violations, outcome.delivered.size, outcome.requests]).toEqual([[], 30, 30]);
	expect(outcome.settledMs).toBeLessThan(120_000);
});

describe('rows with a time', () => {
	const MINUTE_MS = 60_000;
	const at = (ms: number) => new Date(START + ms).toISOString();
	/** Each is due within 15 minutes, and expires within five minutes of it. */
	const withTimes = (count: number, seed: number): IDataObject[] => {
		const random = randomFrom(seed);
		return orders(count).map((row, index) => {
			const fromMs = Math.floor(15 * random()) * MINUTE_MS;
			const untilMs = fromMs + Math.ceil(5 * random()) * MINUTE_MS;
			const times = { sendAt: at(fromMs), nextAttemptAt: at(fromMs), expiresAt: at(untilMs) };
			return { ...row, requestId: `r${index}`, ...times };
		});
	};

	test.each<[string, Partial<OutboxScenario>]>([
		['fast', {}],
		['slow', { gateway: gatewayOf(SLOW) }],
		['n8n is off for a while', { offMs: [5 * MINUTE_MS, 12 * MINUTE_MS] }],
		['killed', { killAtStep: 200, workers: 2 }],
	])('are never sent before their time or after their expiry: %s', async (_, scenario) => {
		for (let seed = 1; seed <= depth(1, 50); seed++) {
			const rows = withTimes(40, seed);
			const outcome = await simulate({ gateway: FAST, rows, maxMs: 25 * MINUTE_MS, ...scenario });
			expect(outcome.violations).toEqual([]);
			const byStatus = (status: string) => outcome.rows.filter((row) => row.status === status);
			// A row that was being sent when n8n was killed, and expired before it was sent again, may have arrived.
			const ended = ['sent', 'expired', ...(scenario.killAtStep ? ['unknown'] : [])].map(byStatus);
			expect(ended.flat()).toHaveLength(40);
			for (const row of outcome.rows) {
				const times = outcome.arrivals.get(`outbox ${row.requestId as string}`) ?? [];
				if (row.status !== 'unknown') expect(times.length > 0).toBe(row.status === 'sent');
				for (const time of times) {
					expect(START + time).toBeGreaterThanOrEqual(Date.parse(row.sendAt as string));
					expect(START + time).toBeLessThan(Date.parse(row.expiresAt as string));
				}
			}
			if (_ === 'fast') expect(byStatus('expired')).toEqual([]);
			if (scenario.offMs) expect(byStatus('expired').length).toBeGreaterThan(5);
		}
	});
});

describe('rows of a campaign', () => {
	const TWO_NUMBERS = { numbers: 'A, B', messagesPerMinute: 0, newPeoplePerDay: '1000' };

	async function play(rows: IDataObject[], scenario: Partial<OutboxScenario> = {}) {
		const outcome = await simulate({
			...{ gateway: FAST, rows, campaigns: [RUNNING], settings: TWO_NUMBERS, maxMs: 120_000 },
			...scenario,
		});
		expect(outcome.violations).toEqual([]);
		return { ...outcome, statuses: outcome.rows.map(({ status }) => status) };
	}

	const statusOfA =
		(status: string) =>
		(number: string): IDataObject =>
			number === 'A' ? { status, online: false } : { status: 'ONLINE', online: true };

	test.each([
		['prepared without numbers, before they were named', '', 'A, B'],
		['inserted without a number', null, 'A'],
		['of one of the numbers', 'B', 'A, B'],
	])('are sent: %s', async (_, number, numbers) => {
		const { statuses } = await play(messagesOf(number), {
			settings: { numbers, messagesPerMinute: 0 },
		});
		expect(statuses).toEqual(['sent', 'sent']);
	});

	test('of a number that is offline do not delay those of another one', async () => {
		const rows = [...messagesOf('A', 60), ...messagesOf('B', 20)];
		const outcome = await play(rows, { sessionOf: statusOfA('DISCONNECTED') });
		const reasons = outcome.rows.map(
			({ status, reason }) => `${status as string},${reason as string}`,
		);
		expect(new Set(reasons.slice(60))).toEqual(new Set(['sent,']));
		expect(new Set(reasons.slice(0, 60))).toEqual(new Set(['pending,The number A is offline']));
	});

	// Every second row becomes due between the look at the outbox and the claim.
	test('keep their status if a run claims rows that it has not seen, and releases all', async () => {
		const rows = messagesOf('A', 45).map((row, index) => ({
			...row,
			nextAttemptAt: new Date(START + (index % 2) * 15_000).toISOString(),
		}));
		for (let seed = 4; seed <= depth(4, 100); seed++) {
			const { statuses } = await play(rows, { seed, slowMs: 60_000, maxMs: undefined });
			expect(new Set(statuses)).toEqual(new Set(['sent']));
		}
	});

	test('go over to another number, and are sent there by one run at a time', async () => {
		const rows = [...messagesOf('A', 30), ...messagesOf('B', 10)].map((row) => ({
			...row,
			otherNumbers: 'B',
		}));
		const { delivered } = await play(rows, {
			...{ sessionOf: statusOfA('DISCONNECTED'), startsAtOnce: 3, maxMs: undefined },
			settings: { ...TWO_NUMBERS, whenOffline: 'another number' },
		});
		expect(delivered.size).toBe(40);
	});

	test('pause in one batch if their session is lost, and those of another number go on', async () => {
		const others = messagesOf('B', 10).map((row) => ({ ...row, campaign: 'Other' }));
		const outcome = await play([...messagesOf('A', 50), ...others], {
			campaigns: [RUNNING, { ...RUNNING, name: 'Other' }],
			sessionOf: statusOfA('AUTH_FAILURE'),
		});
		expect(outcome.campaigns.map(({ status }) => status)).toEqual(['paused', 'running']);
		expect(new Set(outcome.statuses.slice(0, 50))).toEqual(new Set(['paused']));
		expect(new Set(outcome.statuses.slice(50))).toEqual(new Set(['sent']));
	});

	test.each(['A, B', ''])('of a removed number say why they are not sent: %j', async (numbers) => {
		const { rows, statuses } = await play([...messagesOf('Old'), ...messagesOf('', 30)], {
			settings: { numbers, messagesPerMinute: 0 },
		});
		for (const { status, reason, nextAttemptAt } of rows.slice(0, 2)) {
			expect([status, reason]).toEqual(['pending', expect.stringContaining("'Old'")]);
			expect(Date.parse(nextAttemptAt as string)).toBeGreaterThan(START + 600_000);
		}
		expect(new Set(statuses.slice(2))).toEqual(new Set(['sent']));
	});
});
