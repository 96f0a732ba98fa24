import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { endWithParent } from './apart';
import { chart } from './chart';
import { FULL, QUICK } from './extent';
import { figuresOf } from './figures';
import { measure } from './measured';
import { resultsPage } from './results';

async function main(): Promise<void> {
	endWithParent();
	process.channel?.unref();
	const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
	const extent = values.quick ? QUICK : FULL;
	const measured = await measure(extent);
	const figures = figuresOf(measured);
	const page = await resultsPage(figures, extent, measured);
	console.log(`\n${page}`);
	if (values.quick) return;
	writeFileSync(join(__dirname, 'results.md'), page);
	writeFileSync(join(__dirname, 'throughput.svg'), chart(figures.throughput));
}

void main();
