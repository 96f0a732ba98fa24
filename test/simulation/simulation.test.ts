import { simulateMany } from './campaign';
import { describeFailure } from './report';

const SCENARIOS = 5_000;
const seed = Number(process.env.SIMULATION_SEED ?? Math.floor(Math.random() * 2 ** 30));

test(`the engine keeps all rules in ${SCENARIOS} simulated scenarios (SIMULATION_SEED=${seed})`, async () => {
	const { failures, done } = await simulateMany({ seed, scenarios: SCENARIOS });
	expect(failures.map(describeFailure)).toEqual([]);
	expect(done).toBe(SCENARIOS);
}, 600_000);

test('the same seed gives the same scenario and the same events', async () => {
	const run = async () => {
		const { coverage, steps } = await simulateMany({ seed, scenarios: 20 });
		return { steps, counts: [...coverage.counts] };
	};
	expect(await run()).toEqual(await run());
});
