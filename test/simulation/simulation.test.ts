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

/** Two 429s of different runs, 60 s apart: whether the second one continues the first was decided differently by the rules. */
test.each([49673363])('the engine keeps all rules in the scenario of seed %i', async (found) => {
	const { failures, done } = await simulateMany({ seed: found, scenarios: 1 });
	expect(failures.map(describeFailure)).toEqual([]);
	expect(done).toBe(1);
});
