import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { exitWithParent } from './childProcess';
import { measure } from './measurements';
import { resultsPage } from './resultsPage';
import { summarize } from './summary';
import { throughputChart } from './throughputChart';
import { FULL, QUICK } from './workload';

async function main(): Promise<void> {
	exitWithParent();
	process.channel?.unref();
	const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
	const workload = values.quick ? QUICK : FULL;
	const measurements = await measure(workload);
	const summary = summarize(measurements);
	const page = await resultsPage(summary, workload, measurements);
	console.log(`\n${page}`);
	const folder = values.quick ? tmpdir() : __dirname;
	writeFileSync(join(folder, 'results.md'), page);
	writeFileSync(join(folder, 'throughput.svg'), throughputChart(summary.throughput));
}

void main();
