import { depth, seedFrom } from '../harness/depth';
import { simulateMany } from './campaign';
import { expectRules } from './expectRules';

const seed = seedFrom('SIMULATION_SEED');

expectRules(seed, depth(150, 5_000));

test('the same seed gives the same scenario and the same events', async () => {
	const run = async () => {
		const { coverage, steps } = await simulateMany({ seed, scenarios: depth(3, 20) });
		return { steps, counts: [...coverage.counts] };
	};
	expect(await run()).toEqual(await run());
});
