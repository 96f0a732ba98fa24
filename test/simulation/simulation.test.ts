import { depth, isDeep, seedFrom } from '../harness/depth';
import { describeFailure, simulateOne } from './campaign';

const SEED = seedFrom('SIMULATION_SEED');
const SCENARIOS = depth(80, 5_000);

test.each(isDeep ? [0, 1, 2, 3] : [0])(
	`the engine keeps all rules in ${SCENARIOS} simulated scenarios (SIMULATION_SEED=${SEED}), part %d`,
	async (part) => {
		for (let index = 0; index < SCENARIOS; index++) {
			const { failure } = await simulateOne(SEED + part * SCENARIOS + index);
			expect(failure && describeFailure(failure)).toBeUndefined();
		}
	},
	900_000,
);
