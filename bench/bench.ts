import { writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { format } from 'prettier';

import { version } from './measuring/n8nEngine';
import { startGateway } from './receiver/gateway';
import { table } from './report/section';
import { files } from './series/files';
import { loading } from './series/loading';
import { manyItems } from './series/manyItems';
import { throughput } from './series/throughput';
import { FULL, QUICK } from './workload';

async function main(): Promise<void> {
	// --quick: a short run without meaningful figures.
	const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
	const workload = values.quick ? QUICK : FULL;
	const gateway = await startGateway();
	const sections = [
		await throughput(gateway, workload),
		await manyItems(gateway, workload),
		await files(workload),
		loading(workload),
	];
	const targets = sections.flatMap((section) => section.targets);
	const text = `# Benchmark results

Written by \`npm run bench\`. Figures are medians of ${workload.rounds} rounds, unless stated otherwise. Every round runs all senders one after the other. A ratio is the median of the ratios per round.

- Node.js ${process.versions.node}, ${availableParallelism()} CPUs
- Load average of the five minutes before the start: ${process.env.LOAD_AVERAGE}
- n8n-core ${version}, which runs expressions without the isolate of a complete n8n; with an isolate they take longer

## Targets

${table(['Target', 'At most', 'Measured', 'Result'], targets)}

${sections.map(({ markdown }) => markdown).join('\n\n')}`;
	const page = await format(text, { parser: 'markdown' });
	console.log(`\n${page}`);
	const folder = values.quick ? tmpdir() : __dirname;
	writeFileSync(join(folder, 'results.md'), page);
	writeFileSync(join(folder, 'throughput.svg'), sections[0]!.chart!);
	process.exit();
}

void main();
