import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';

import { format } from 'prettier';

import type { Extent } from './extent';
import type { Figures, ThroughputFigures } from './figures';
import { NOT_MEASURED } from './inN8n/installed';
import type { Measured } from './measured';
import { targets } from './targets';

const EXPRESSIONS: Record<string, string> = {
	vm: "in n8n's isolate, as n8n runs them",
	quickjs: "in n8n's QuickJS",
	legacy: 'without an isolate, which needs Node 24; there an expression takes longer',
};

const PLACES: Record<ThroughputFigures['where'], string> = {
	engine: "n8n's engine",
	n8n: 'a real n8n',
};

/** Everything that was found out, as a page. */
export async function resultsPage(
	figures: Figures,
	extent: Extent,
	{ throughput: { expressions }, inN8n }: Measured,
): Promise<string> {
	const page = [
		'# Measured',
		`Written by \`npm run bench\`. Medians of ${extent.rounds} runs, the competitors side by side in one run; a ratio is the median of the ratios of runs that were neighbours.`,
		conditions(expressions, inN8n?.version),
		'## Targets',
		targetTable(figures, extent),
		'## Throughput',
		throughputText(extent),
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

function throughputText({ chats }: Extent): string {
	return `Texts over ${chats} chats, against the sandbox in a process of its own.

In n8n's engine, 10 at once. CPU is that of the sending process. _limit_: Node alone, which signs and posts with a new connection each, as n8n makes them. _floor_: a node that reads two fields and posts through n8n's helper, and does nothing else. _ours_: this package's Send. Chat and text are expressions in both.

In a real n8n, one that keeps running, on its own Node 24 and with expressions in its isolate. Time is what n8n notes for the nodes that send, the items being there already. CPU is that of all of n8n's processes for the whole execution, which begins with a Webhook node and a Code node, and is saved when it is over (n8n's default: _saveDataSuccessExecution_ is _all_). _ours_: this package's Send, as above. _chain_: a Code node for body and time, a Crypto node for the signature, an HTTP Request node that posts, all with their defaults: all requests at once. _Telegram_: n8n's own node, without its line about n8n, against a stand-in for Telegram's API that answers as late as the sandbox.`;
}

function conditions(expressions: string, realN8n: string | undefined): string {
	const { version } = createRequire(__filename)('n8n-core/package.json') as { version: string };
	return [
		`- Node ${process.versions.node}, ${availableParallelism()} CPUs`,
		`- n8n-core ${version}`,
		`- expressions there: ${EXPRESSIONS[expressions] ?? expressions}`,
		`- real n8n: ${realN8n ?? NOT_MEASURED}`,
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
				PLACES[row.where],
				row.name,
				whole(row.texts),
				`${whole(row.perSecond)} (${whole(row.slowest)} to ${whole(row.fastest)})`,
				known(row.oursToIts.wall, '×'),
				known(row.cpuMsPerText, 'ms'),
				known(row.oursToIts.cpu, '×'),
				String(row.violations),
			]),
	);
	const missing = ['', PLACES.n8n, '', '', NOT_MEASURED, '', '', '', ''];
	const hasAll = rows.some(({ where }) => where === 'n8n');
	return table(
		[
			'Latency',
			'In',
			'Who',
			'Texts',
			'Messages/s (range)',
			"Our time to this one's",
			'CPU per text',
			"Our CPU to this one's",
			'Out of order',
		],
		hasAll ? measured : [...measured, missing],
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

const known = (number: number, unit: string) =>
	Number.isNaN(number) ? '' : `${number.toFixed(2)} ${unit}`;
const whole = (number: number) => Math.round(number).toLocaleString('en-US');
