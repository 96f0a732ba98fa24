import { simulate } from './outbox';
import {
	expectDelivered,
	expectFast,
	GATEWAYS,
	messagesOf,
	nameOf,
	orders,
	RUNNING,
} from './outboxRules';

const named = (gateways: typeof GATEWAYS) =>
	gateways.map((gateway) => [nameOf(gateway), gateway] as const);
const gatewaysOf = (rate: number, seconds: number) =>
	GATEWAYS.filter((each) => each.perMinute === rate && each.secondsPerMessage === seconds);

const FAST = gatewaysOf(60, 0.05)[2]!;
const SLOW = gatewaysOf(10, 8)[0]!;

jest.setTimeout(1_800_000);

describe.each([
	[20, GATEWAYS],
	[100, GATEWAYS],
	[1_000, [...gatewaysOf(15, 4), ...gatewaysOf(60, 20)]],
	[10_000, [...gatewaysOf(60, 0.05), ...gatewaysOf(20, 8)].slice(1, 4)],
])('%d rows', (count, gateways) => {
	test.each(named(gateways))('%s', async (_, gateway) => {
		await expectFast({ gateway, rows: orders(count), seed: count });
	});
});

// Of two rates the lower one applies to both, so a batch that was small enough takes longer than its claim.
test.each([2, 0.5])(
	'rows are sent once while another workflow sends %d per minute',
	async (perMinute) => {
		const { violations, delivered, requests } = await simulate({
			gateway: { ...FAST, perMinute: 1_000 },
			...{ rows: messagesOf('', 120), campaigns: [RUNNING], maxMs: 14_400_000 },
			settings: { numbers: '', messagesPerMinute: 60, newPeoplePerDay: '1000' },
			other: { atMs: 20_000, count: 16, perMinute },
		});
		expect(violations).toEqual([]);
		expect([delivered.size, requests]).toEqual([120, 120]);
	},
);

const NO_LIMITS = { messagesPerMinute: 0, dailyCaps: '9999', newPeoplePerDay: '9999' };
const ofTwoNumbers = (count: number) => ({
	rows: [...messagesOf('A', count), ...messagesOf('B', count)],
	campaigns: [RUNNING],
	settings: { numbers: 'A, B', ...NO_LIMITS },
});

test.each(named(GATEWAYS.filter(({ perMinute }) => perMinute > 3)))(
	'a campaign with two numbers: %s',
	async (_, gateway) => {
		await expectFast({ gateway, ...ofTwoNumbers(50) });
	},
);

test.each([
	['fast', { gateway: FAST, rows: orders(12) }],
	['slow', { gateway: SLOW, rows: orders(12) }],
	['a campaign with two numbers', { gateway: FAST, ...ofTwoNumbers(6) }],
])('a process killed at each step: %s', async (_, scenario) => {
	const { steps } = await expectDelivered({ ...scenario, workers: 2 });
	for (let killAtStep = 0; killAtStep < steps; killAtStep++) {
		await expectDelivered({ ...scenario, workers: 2, killAtStep });
	}
});
