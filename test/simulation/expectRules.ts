import { simulateMany } from './campaign';
import { describeFailure } from './report';

/** Defines the test of this many scenarios. Jest runs each file in one worker, so several files share them. */
export function expectRules(seed: number, scenarios: number): void {
	test(`the engine keeps all rules in ${scenarios} simulated scenarios (SIMULATION_SEED=${seed})`, async () => {
		const { failures, done } = await simulateMany({ seed, scenarios });
		expect(failures.map(describeFailure)).toEqual([]);
		expect(done).toBe(scenarios);
	}, 900_000);
}
