// `npm run bench`: measures the built package beside what could be there in its place. --quick: less of everything.
import { launch } from './launch.mjs';

launch('main.ts');
