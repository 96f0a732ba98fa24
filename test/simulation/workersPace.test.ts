import fc from 'fast-check';

import { depth, seedFrom } from '../harness/depth';
import { arrivalsOf, largestMinute, measurePace, PROCESSES, SITUATIONS } from './workersPace';

/** Processes that share the pace of a credential, in virtual time. */

const seed = seedFrom('WORKERS_PACE_SEED');

test(`however many processes start and stop, no minute has more messages than the credential allows (WORKERS_PACE_SEED=${seed})`, async () => {
	const workers = fc
		.record({
			perProcess: fc.integer({ min: 1, max: 12 }),
			remainder: fc.integer({ min: 0, max: 19 }),
			processes: fc.integer({ min: 1, max: 20 }),
			idle: fc.integer({ min: 0, max: 19 }),
			lifetimeMs: fc.option(fc.integer({ min: 2_000, max: 400_000 }), { nil: undefined }),
			ofWorkflow: fc.constantFrom(0, 1, 7, 600),
			networkMs: fc.integer({ min: 0, max: 990 }),
			seed: fc.nat(),
		})
		.map(({ perProcess, remainder, processes, idle, ...spec }) => ({
			...spec,
			processes,
			busy: Math.max(1, processes - idle),
			perMinute: perProcess * processes + Math.min(remainder, processes - 1),
			minutes: 8,
		}));
	const property = fc.asyncProperty(workers, async (spec) => {
		expect(largestMinute(await arrivalsOf(spec))).toBeLessThanOrEqual(spec.perMinute);
	});
	await fc.assert(property, { seed, numRuns: depth(5, 200) });
}, 900_000);

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
