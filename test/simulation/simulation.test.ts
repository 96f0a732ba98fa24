import { depth, seedFrom } from '../harness/depth';
import { simulateMany } from './campaign';
import { expectRules } from './expectRules';
import { describeFailure } from './report';

const seed = seedFrom('SIMULATION_SEED');

expectRules(seed, depth(150, 5_000));

test('the same seed gives the same scenario and the same events', async () => {
	const run = async () => {
		const { coverage, steps } = await simulateMany({ seed, scenarios: depth(3, 20) });
		return { steps, counts: [...coverage.counts] };
	};
	expect(await run()).toEqual(await run());
});

/** What was too strict about the rules in each of them. */
test.each([
	[49673363, 'whether a 429 that follows a quiet minute continues the ones before'],
	[900104148, 'a run gives up in the quiet minute after a 429, and ends after the next one'],
	[900564036, 'the same, in a run with two accounts'],
	[900358731, 'a busy process ends two waits in a row late'],
	[3315, 'after a 429 that asked for a minute, the next messages come less than every 20 s'],
])('the engine keeps all rules in the scenario of seed %i: %s', async (found) => {
	const { failures, done } = await simulateMany({ seed: found, scenarios: 1 });
	expect(failures.map(describeFailure)).toEqual([]);
	expect(done).toBe(1);
});
