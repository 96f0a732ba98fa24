import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';

import { format } from 'prettier';

import type { Extent } from './extent';
import type { Figures, ThroughputFigures } from './figures';
import { IN_REAL_N8N, NOT_MEASURED } from './realN8n';
import { targets } from './targets';

const EXPRESSIONS: Record<string, string> = {
	vm: "in n8n's isolate, as n8n runs them",
	quickjs: "in n8n's QuickJS",
	legacy: 'without an isolate, which needs Node 24; there an expression takes longer',
};

/** Everything that was found out, as a page. */
export async function resultsPage(
	figures: Figures,
	extent: Extent,
	expressions: string,
): Promise<string> {
	const page = [
		'# Measured',
		`Written by \`npm run bench\`. Medians of ${extent.rounds} runs, the competitors side by side in one run; a ratio is the median of the ratios of runs that were neighbours.`,
		conditions(expressions),
		'## Targets',
		targetTable(figures, extent),
		'## Throughput',
		`${whole(extent.texts)} texts over ${extent.chats} chats, 10 at once, against the sandbox in a process of its own. CPU is that of the sending process. _limit_: Node alone, which signs and posts with a new connection each, as n8n makes them. _floor_: a node that reads two fields and posts through n8n's helper, and does nothing else. _ours_: this package's Send. Chat and text are expressions in both.`,
		throughputTable(figures.throughput),
		'## Growth',
		'Our Send at 0 ms latency.',
		growthTable(figures),
		'## Memory',
		memoryText(figures, extent),
		'## Signing and loading',
		signingText(figures),
	].join('\n\n');
	return await format(page, { parser: 'markdown' });
}

function conditions(expressions: string): string {
	const { version } = createRequire(__filename)('n8n-core/package.json') as { version: string };
	return [
		`- Node ${process.versions.node}, ${availableParallelism()} CPUs`,
		`- n8n-core ${version}`,
		`- expressions: ${EXPRESSIONS[expressions] ?? expressions}`,
	].join('\n');
}

function targetTable(figures: Figures, extent: Extent): string {
	return table(
		['Target', 'At most', 'Measured', ''],
		targets(figures, extent).map(({ what, atMost, measured, outcome }) => [
			what,
			atMost,
			measured,
			outcome,
		]),
	);
}

function throughputTable(rows: ThroughputFigures[]): string {
	const latencies = [...new Set(rows.map(({ latencyMs }) => latencyMs))];
	const measured = latencies.flatMap((latency) =>
		rows
			.filter(({ latencyMs }) => latencyMs === latency)
			.map((row) => [
				`${latency} ms`,
				row.name,
				`${whole(row.perSecond)} (${whole(row.slowest)} to ${whole(row.fastest)})`,
				`${row.wallToFloor.toFixed(2)} ×`,
				`${whole(row.cpuMs)} ms`,
				`${row.cpuToFloor.toFixed(2)} ×`,
				String(row.violations),
			]),
	);
	const missing = IN_REAL_N8N.map((name) => ['', name, NOT_MEASURED, '', '', '', '']);
	return table(
		[
			'Latency',
			'Who',
			'Messages/s (range)',
			"Time to the floor's",
			'CPU',
			"CPU to the floor's",
			'Out of order',
		],
		[...measured, ...missing],
	);
}

function growthTable({ growth }: Figures): string {
	const least = Math.min(...growth.map(({ msPerItem }) => msPerItem));
	return table(
		['Items', 'Time per item', 'To the cheapest', 'CPU per item'],
		growth.map(({ items, msPerItem, cpuMsPerItem }) => [
			whole(items),
			`${msPerItem.toFixed(2)} ms`,
			`${(msPerItem / least).toFixed(2)} ×`,
			`${cpuMsPerItem.toFixed(2)} ms`,
		]),
	);
}

function memoryText({ memory }: Figures, { files, fileMegabytes, filesAtOnce }: Extent): string {
	return `Send Media, ${files} files of ${fileMegabytes} MB that lie on the disk (n8n's filesystem mode), concurrency ${filesAtOnce}; each run in a fresh process that runs n8n's engine and nothing else. Resident memory (RSS) rose by ${whole(memory.aboveIdle)} MB above idle at its peak (${whole(memory.worst)} MB in the worst run); of the buffers in it (arrayBuffers) by ${whole(memory.arrayBuffers)} MB. At most ${memory.atOnce} files were on their way at once, and all took ${memory.seconds.toFixed(1)} s.`;
}

function signingText({ signing, loadingMs }: Figures): string {
	return [
		`- A signature over a body of 1 kB: ${signing.ours.toFixed(2)} µs; a bare \`createHmac\` over the same bytes: ${signing.bare.toFixed(2)} µs.`,
		`- Node and credential load in ${loadingMs.toFixed(1)} ms, in a fresh process that has n8n-workflow already.`,
	].join('\n');
}

function table(head: string[], rows: string[][]): string {
	const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
	return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

const whole = (number: number) => Math.round(number).toLocaleString('en-US');
