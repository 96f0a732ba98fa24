import { seedFrom } from '../harness/depth';
import { expectRules } from './expectRules';

expectRules(seedFrom('SIMULATION_SEED', 10_000), 5_000);
