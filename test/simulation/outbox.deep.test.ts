import {
	expectDelivered,
	expectFast,
	GATEWAYS,
	messagesOf,
	nameOf,
	orders,
	RUNNING,
	simulate,
} from './outboxRules';

const named = (gateways: typeof GATEWAYS) =>
	gateways.map((gateway) => [nameOf(gateway), gateway] as const);
const isOf = (perMinute: number, seconds: number) => (gateway: (typeof GATEWAYS)[number]) =>
	gateway.perMinute === perMinute && gateway.secondsPerMessage === seconds;

jest.setTimeout(1_800_000);

describe.each(named(GATEWAYS))('%s', (_, gateway) => {
	test.each([20, 100])('%d rows', async (count) => {
		await expectFast({ gateway, rows: orders(count), seed: count });
	});
});

test.each(named([...GATEWAYS.filter(isOf(15, 4)), ...GATEWAYS.filter(isOf(60, 20))]))(
	'1,000 rows: %s',
	async (_, gateway) => {
		await expectFast({ gateway, rows: orders(1_000) });
	},
);

test.each(named([...GATEWAYS.filter(isOf(60, 0.05)), ...GATEWAYS.filter(isOf(20, 8))].slice(1, 4)))(
	'10,000 rows: %s',
	async (_, gateway) => {
		await expectFast({ gateway, rows: orders(10_000) });
	},
);

const [FAST, SLOW] = [isOf(60, 0.05), isOf(10, 8)].map((is) => GATEWAYS.filter(is));

test.each(named([FAST![2]!, SLOW![0]!]))(
	'a process killed at each step: %s',
	async (_, gateway) => {
		const { steps } = await expectDelivered({ gateway, rows: orders(12), workers: 2 });
		for (let killAtStep = 0; killAtStep < steps; killAtStep++) {
			const rows = orders(12);
			const { sends } = await expectDelivered({ gateway, rows, workers: 2, killAtStep });
			expect(Math.max(...sends)).toBeGreaterThan(0);
		}
	},
);

test('many runs start at the same time, in any order of their steps', async () => {
	for (let seed = 1; seed <= 200; seed++) {
		const gateway = GATEWAYS[seed % GATEWAYS.length]!;
		await expectDelivered({ gateway, rows: orders(10), seed, startsAtOnce: 4, workers: 3 });
	}
});

// Of two rates the lower one applies to both, so a batch that was small enough takes longer than its claim.
test.each([2, 0.5])(
	'rows are sent once while another workflow sends %d per minute',
	async (perMinute) => {
		const { violations, delivered, requests } = await simulate({
			gateway: { ...FAST![2]!, perMinute: 1_000 },
			...{ rows: messagesOf('', 120), campaigns: [RUNNING], maxMs: 14_400_000 },
			settings: { numbers: '', messagesPerMinute: 60, newPeoplePerDay: '1000' },
			other: { atMs: 20_000, count: 16, perMinute },
		});
		expect(violations).toEqual([]);
		expect([delivered.size, requests]).toEqual([120, 120]);
	},
);

describe('a campaign with two numbers', () => {
	const settings = {
		numbers: 'A, B',
		messagesPerMinute: 0,
		dailyCaps: '9999',
		newPeoplePerDay: '9999',
	};
	const campaigns = [RUNNING];
	const rowsOf = (count: number) => [...messagesOf('A', count), ...messagesOf('B', count)];

	test.each(named(GATEWAYS.filter(({ perMinute }) => perMinute > 3)))('%s', async (_, gateway) => {
		await expectFast({ gateway, rows: rowsOf(50), campaigns, settings });
	});

	test('whose process is killed at each step', async () => {
		const scenario = { gateway: FAST![2]!, campaigns, settings, workers: 2 };
		const { steps } = await expectDelivered({ ...scenario, rows: rowsOf(6) });
		for (let killAtStep = 0; killAtStep < steps; killAtStep++) {
			await expectDelivered({ ...scenario, rows: rowsOf(6), killAtStep });
		}
	});
});
