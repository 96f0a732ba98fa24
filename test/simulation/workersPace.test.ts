import {
	MINUTE_MS,
	arrivalsOf,
	largestMinute,
	measurePace,
	PROCESSES,
	SITUATIONS,
} from './workersPace';

/** Processes that share the pace of a credential, in virtual time. */

test.each(PROCESSES)(
	'%d processes that restart never exceed the pace in any minute',
	async (processes) => {
		for (const lifetimeMs of [5_000, MINUTE_MS]) {
			const spec = { perMinute: 45, processes, busy: processes, minutes: 6, lifetimeMs, seed: 1 };
			expect(largestMinute(await arrivalsOf(spec))).toBeLessThanOrEqual(45);
		}
	},
);

test.each(PROCESSES)(
	'%d processes that all send use the pace, apart from a remainder',
	async (processes) => {
		const { perMinute, most } = await measurePace(45, processes, SITUATIONS[0]!, 30);
		const divided = processes * Math.floor(45 / processes);
		expect(most).toBeLessThanOrEqual(45);
		// A minute has 61 seconds, and the first interval passes after the start.
		expect(perMinute).toBeGreaterThan(0.93 * divided);
	},
);

test('idle processes leave their share unused', async () => {
	const { perMinute } = await measurePace(40, 20, SITUATIONS[2]!, 30);
	expect(Math.round(perMinute)).toBe(2);
});

test('a minute of the judge is any 60 seconds', () => {
	expect(largestMinute([0, 1, 59_999, 60_000, 60_000.5])).toBe(4);
	expect(largestMinute([0, 60_000])).toBe(1);
	expect(largestMinute([])).toBe(0);
});
