// `npm run bench`: compares the built package with its alternatives. --quick: a short run without meaningful figures.
import { launch } from './launch.mjs';

launch('main.ts');
