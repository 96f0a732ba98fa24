import { describeFailure, simulateOne } from './campaign';

/** Defines the test of this many scenarios. Jest runs each file in one worker, so several files share them. */
export function expectRules(seed: number, scenarios: number): void {
	test(`the engine keeps all rules in ${scenarios} simulated scenarios (SIMULATION_SEED=${seed})`, async () => {
		for (let index = 0; index < scenarios; index++) {
			const { failure } = await simulateOne(seed + index);
			expect(failure && describeFailure(failure)).toBeUndefined();
		}
	}, 900_000);
}
