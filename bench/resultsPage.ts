import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';

import { format } from 'prettier';

import type { Measurements } from './measurements';
import { NOT_MEASURED } from './realN8n/installed';
import { ENVIRONMENT_LABELS, type Summary, type ThroughputSummary } from './summary';
import { targets } from './targets';
import type { Workload } from './workload';

const EXPRESSION_ENGINES: Record<string, string> = {
	vm: 'in an isolate, as in n8n',
	quickjs: 'in QuickJS, as in n8n',
	legacy: 'without an isolate, which would need Node.js 24; with an isolate they take longer',
};

export async function resultsPage(
	summary: Summary,
	workload: Workload,
	{ throughput: { expressions }, realN8n }: Measurements,
): Promise<string> {
	const page = [
		'# Benchmark results',
		`Written by \`npm run bench\`. All figures are medians of ${workload.rounds} rounds. Every round runs all senders one after the other. A ratio is the median of the ratios per round.`,
		conditions(expressions, realN8n?.version),
		'## Targets',
		targetTable(summary, workload),
		'## Throughput',
		throughputText(workload),
		throughputTable(summary.throughput),
		'## Growth',
		'Our Send at 0 ms latency, by number of items.',
		growthTable(summary),
		'## Memory',
		memoryText(summary, workload),
		'## Signing and loading',
		signingText(summary),
	].join('\n\n');
	return await format(page, { parser: 'markdown' });
}

function throughputText({ chats }: Workload): string {
	return `Texts to ${chats} chats. The gateway is the sandbox, in its own process.

In n8n's engine, 10 requests run concurrently, and CPU is the CPU time of the sending process. _limit_: Node.js without n8n; it signs and posts with a new connection per request, like n8n. _floor_: a minimal n8n node that reads two fields and posts them with n8n's helper. _ours_: this package's Send. In _floor_ and _ours_, chat and text are expressions.

The real n8n keeps running between the rounds, on its own Node.js 24, with expressions in its isolate. Time is the sum of n8n's execution times of the nodes that send; preparing the items does not count. CPU is the CPU time of all n8n processes during the whole execution, which starts with a Webhook node and a Code node and is saved at the end (\`saveDataSuccessExecution\` is \`all\`, n8n's default). _ours_: this package's Send, as above. _chain_: a Code node for body and timestamp, a Crypto node for the signature, and an HTTP Request node, with their default settings: it sends all requests at once. _Telegram_: n8n's own Telegram node, without the attribution that it appends by default, against a stub of Telegram's API with the same latency as the sandbox.`;
}

function conditions(expressions: string, realN8nVersion: string | undefined): string {
	const { version } = createRequire(__filename)('n8n-core/package.json') as { version: string };
	return [
		`- Node.js ${process.versions.node}, ${availableParallelism()} CPUs`,
		`- n8n-core ${version}`,
		`- Expressions in n8n-core: ${EXPRESSION_ENGINES[expressions] ?? expressions}`,
		`- Real n8n: ${realN8nVersion ?? NOT_MEASURED}`,
	].join('\n');
}

function targetTable(summary: Summary, workload: Workload): string {
	return table(
		['Target', 'At most', 'Measured', 'Result'],
		targets(summary, workload).map(({ name, atMost, measured, result }) => [
			name,
			atMost,
			measured,
			result,
		]),
	);
}

function throughputTable(rows: ThroughputSummary[]): string {
	const latencies = [...new Set(rows.map(({ latencyMs }) => latencyMs))];
	const lines = latencies.flatMap((latency) =>
		rows
			.filter(({ latencyMs }) => latencyMs === latency)
			.map((row) => [
				`${latency} ms`,
				ENVIRONMENT_LABELS[row.environment],
				row.name,
				integer(row.texts),
				`${integer(row.perSecond)} (${integer(row.slowest)} to ${integer(row.fastest)})`,
				ifKnown(row.oursToThis.wall, '×'),
				ifKnown(row.cpuMsPerText, 'ms'),
				ifKnown(row.oursToThis.cpu, '×'),
				String(row.outOfOrder),
			]),
	);
	const notMeasured = ['', ENVIRONMENT_LABELS.n8n, '', '', NOT_MEASURED, '', '', '', ''];
	const hasRealN8n = rows.some(({ environment }) => environment === 'n8n');
	return table(
		[
			'Latency',
			'In',
			'Sender',
			'Texts',
			'Messages/s (range)',
			'Our time / its time',
			'CPU per text',
			'Our CPU / its CPU',
			'Out of order',
		],
		hasRealN8n ? lines : [...lines, notMeasured],
	);
}

function growthTable({ growth }: Summary): string {
	const minimum = Math.min(...growth.map(({ msPerItem }) => msPerItem));
	return table(
		['Items', 'Time per item', 'Relative to the minimum', 'CPU per item'],
		growth.map(({ items, msPerItem, cpuMsPerItem }) => [
			integer(items),
			`${msPerItem.toFixed(2)} ms`,
			`${(msPerItem / minimum).toFixed(2)} ×`,
			`${cpuMsPerItem.toFixed(2)} ms`,
		]),
	);
}

function memoryText(
	{ memory }: Summary,
	{ files, fileMegabytes, fileConcurrency }: Workload,
): string {
	return `Send Media with ${files} files of ${fileMegabytes} MB on disk (n8n's filesystem mode), concurrency ${fileConcurrency}. Each round is a new process that runs only n8n's engine. At its peak, resident memory (RSS) was ${integer(memory.aboveIdle)} MB above idle (${integer(memory.worst)} MB in the worst round), of which ${integer(memory.arrayBuffers)} MB were buffers (arrayBuffers). At most ${memory.concurrency} files were in flight at the same time. All files together took ${memory.seconds.toFixed(1)} s.`;
}

function signingText({ signing, loadingMs }: Summary): string {
	return [
		`- Signing a 1 kB body takes ${signing.ours.toFixed(2)} µs; a bare \`createHmac\` over the same bytes takes ${signing.bare.toFixed(2)} µs.`,
		`- Loading node and credential takes ${loadingMs.toFixed(1)} ms in a new process in which n8n-workflow is already loaded.`,
	].join('\n');
}

function table(head: string[], rows: string[][]): string {
	const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
	return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

const ifKnown = (number: number, unit: string) =>
	Number.isNaN(number) ? '' : `${number.toFixed(2)} ${unit}`;
const integer = (number: number) => Math.round(number).toLocaleString('en-US');
