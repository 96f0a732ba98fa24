import { depth, seedFrom } from '../harness/depth';
import { expectRules } from './expectRules';

expectRules(seedFrom('SIMULATION_SEED'), depth(80, 5_000));
