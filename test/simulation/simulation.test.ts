import { depth, isDeep, seedFrom } from '../harness/depth';
import { checkScenario } from './simulate';

const SEED = seedFrom('SIMULATION_SEED');
const SCENARIOS = depth(80, 5_000);

test.each(isDeep ? [0, 1, 2, 3] : [0])(
	`the engine keeps all rules in ${SCENARIOS} simulated scenarios (SIMULATION_SEED=${SEED}), part %d`,
	async (part) => {
		const first = SEED + part * SCENARIOS;
		for (let seed = first; seed < first + SCENARIOS; seed++) await checkScenario(seed);
	},
	900_000,
);
