import fc from 'fast-check';

import { seedFrom } from '../harness/depth';
import { arrivalsOf, largestMinute } from './workersPace';

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
	await fc.assert(
		fc.asyncProperty(workers, async (spec) => {
			expect(largestMinute(await arrivalsOf(spec))).toBeLessThanOrEqual(spec.perMinute);
		}),
		{ seed, numRuns: 200 },
	);
}, 900_000);
