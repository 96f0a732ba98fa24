import type { IDataObject } from 'n8n-workflow';

import { depth } from '../harness/depth';
import {
	expectDelivered,
	expectFast,
	GATEWAYS,
	messagesOf,
	nameOf,
	orders,
	RUNNING,
	simulate,
	START,
} from './outboxRules';

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
	[depth(200, 1_000), '15 per minute, 4 s per message, in parallel, 429s of 60 s'],
	[depth(150, 1_500), '60 per minute, 0.05 s per message, one at a time, 429s of 60 s'],
])('sends %d rows once, as fast as the gateway accepts: %s', async (count, name) => {
	await expectFast({ gateway: gatewayOf(name), rows: orders(count) });
});

// The row that is in Send when the process is killed is sent again with the same key, so the gateway drops it.
test.each([10, 30, 31, 32, 33, 34, 60])(
	'sends each row once if killed at step %d',
	async (step) => {
		const { sends } = await expectDelivered({ gateway: FAST, rows: orders(20), killAtStep: step });
		expect(Math.max(...sends)).toBeLessThanOrEqual(2);
	},
);

test('never has two runs for one number, however many start at the same time', async () => {
	for (let seed = 1; seed <= 5; seed++) {
		const rows = orders(10);
		await expectDelivered({ gateway: FAST, rows, seed, startsAtOnce: 3, workers: 2 });
	}
});

test('a row that the limit held back has used no attempt', async () => {
	const { rows, sends } = await expectDelivered({ gateway: gatewayOf(SLOW), rows: orders(30) });
	expect(Math.max(...sends)).toBeGreaterThan(1);
	expect(new Set(rows.map(({ attempts }) => attempts))).toEqual(new Set([1]));
});

describe('rows of a campaign', () => {
	const statusesOf = async (rows: ReturnType<typeof orders>, numbers: string) => {
		const settings = { numbers, messagesPerMinute: 0 };
		const outcome = await simulate({
			...{ gateway: FAST, rows, campaigns: [RUNNING], settings, maxMs: 120_000 },
		});
		expect(outcome.violations).toEqual([]);
		return outcome.rows.map(({ number, status, reason, nextAttemptAt }) => ({
			...{ number, status, reason },
			dueS: (Date.parse(nextAttemptAt as string) - START) / 1_000,
		}));
	};

	test.each([
		['prepared without numbers, before they were named', '', 'A, B'],
		['inserted without a number', null, 'A'],
		['of one of the numbers', 'B', 'A, B'],
	])('are sent: %s', async (_, number, numbers) => {
		const statuses = await statusesOf(messagesOf(number), numbers);
		expect(statuses).toMatchObject([{ status: 'sent' }, { status: 'sent' }]);
	});

	const statusOf =
		(status: string) =>
		(number: string): IDataObject =>
			number === 'A' ? { status, online: false } : { status: 'ONLINE', online: true };
	const settings = { numbers: 'A, B', messagesPerMinute: 0, newPeoplePerDay: '1000' };
	const campaigns = [RUNNING];

	test('of a number that is offline do not delay those of another one', async () => {
		const rows = [...messagesOf('A', 100), ...messagesOf('B', 20)];
		const sessionOf = statusOf('DISCONNECTED');
		const outcome = await simulate({
			...{ gateway: FAST, rows, campaigns, settings, sessionOf, maxMs: 60_000 },
		});
		expect(outcome.violations).toEqual([]);
		const reasons = outcome.rows.map(({ status, reason }) => [status, reason]);
		expect(new Set(reasons.slice(100).map(String))).toEqual(new Set(['sent,']));
		expect(new Set(reasons.slice(0, 100).map(String))).toEqual(
			new Set(['pending,The number A is offline']),
		);
	});

	test('go over to another number, and are sent there by one run at a time', async () => {
		const rows = [...messagesOf('A', 30), ...messagesOf('B', 10)].map((row) => ({
			...row,
			otherNumbers: 'B',
		}));
		const { delivered, violations } = await simulate({
			...{ gateway: FAST, rows, campaigns, sessionOf: statusOf('DISCONNECTED'), startsAtOnce: 3 },
			settings: { ...settings, whenOffline: 'another number' },
		});
		expect(violations).toEqual([]);
		expect(delivered.size).toBe(40);
	});

	test('pause in one batch if their session is lost, and those of another number go on', async () => {
		const rows = [
			...messagesOf('A', 50),
			...messagesOf('B', 10).map((row) => ({ ...row, campaign: 'Other' })),
		];
		const both = [RUNNING, { ...RUNNING, name: 'Other' }];
		const sessionOf = statusOf('AUTH_FAILURE');
		const outcome = await simulate({
			...{ gateway: FAST, rows, campaigns: both, settings, sessionOf, maxMs: 60_000 },
		});
		expect(outcome.campaigns.map(({ status }) => status)).toEqual(['paused', 'running']);
		const statuses = outcome.rows.map(({ status }) => status);
		expect(new Set(statuses.slice(0, 50))).toEqual(new Set(['paused']));
		expect(new Set(statuses.slice(50))).toEqual(new Set(['sent']));
	});

	test('pause although an order of the same number fails first', async () => {
		const rows = [...orders(3), ...messagesOf('', 3)];
		const outcome = await simulate({
			...{ gateway: { ...FAST, isOffline: true }, rows, campaigns: [RUNNING], maxMs: 8_000 },
			sessionOf: () => ({ status: 'AUTH_FAILURE', online: false }),
		});
		expect(outcome.rows.map(({ status }) => status)).toEqual([
			...Array<string>(3).fill('pending'),
			...Array<string>(3).fill('paused'),
		]);
	});

	test.each(['A, B', ''])('of a removed number say why they are not sent: %j', async (numbers) => {
		const statuses = await statusesOf([...messagesOf('Old'), ...messagesOf('', 30)], numbers);
		for (const held of statuses.slice(0, 2)) {
			expect(held).toMatchObject({ status: 'pending', reason: expect.stringContaining("'Old'") });
			expect(held.dueS).toBeGreaterThan(600);
		}
		expect(new Set(statuses.slice(2).map(({ status }) => status))).toEqual(new Set(['sent']));
	});
});
