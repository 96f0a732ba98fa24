import { seedFrom } from '../harness/depth';
import { expectRules } from './expectRules';

expectRules(seedFrom('SIMULATION_SEED', 5_000), 5_000);
