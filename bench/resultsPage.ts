import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';

import { format } from 'prettier';

import type { Measurements } from './measurements';
import { NOT_MEASURED } from './realN8n/installed';
import type { Profile } from './series/profile';
import {
	concurrencyLabel,
	ENVIRONMENT_LABELS,
	loadLabel,
	type Summary,
	type ThroughputSummary,
} from './summary';
import { targets } from './targets';
import { CONCURRENCY, MEGABYTE, type Workload } from './workload';

const EXPRESSION_ENGINES: Record<string, string> = {
	vm: 'in an isolate, as in n8n',
	quickjs: 'in QuickJS, as in n8n',
	legacy: 'without an isolate, which would need Node.js 24; with an isolate they take longer',
};

export async function resultsPage(
	summary: Summary,
	workload: Workload,
	measurements: Measurements,
): Promise<string> {
	const page = [
		'# Benchmark results',
		`Written by \`npm run bench\`. Figures are medians of ${workload.rounds} rounds, unless stated otherwise. Every round runs all senders one after the other. A ratio is the median of the ratios per round.`,
		conditions(measurements),
		'## Targets',
		targetTable(summary, workload),
		'## Throughput',
		'![Messages per second](throughput.svg)',
		latencyText(summary.throughput, workload),
		`All senders send texts to ${workload.chats} chats. The gateway is the sandbox, in its own process.`,
		THROUGHPUT,
		throughputTable(summary.throughput),
		'## What a message costs',
		PROFILE,
		profileTable(summary.profile),
		'## Many items in one run',
		manyItemsText(summary, workload),
		growthTable(summary),
		'## Files',
		filesText(summary, workload),
		'## Signing and loading',
		signingText(summary),
	].join('\n\n');
	return await format(page, { parser: 'markdown' });
}

const THROUGHPUT = `CPU is CPU time: in n8n's engine of the sending process, in a real n8n of all its processes.

**In n8n's engine**, all senders have ${CONCURRENCY} requests in flight. _limit_: Node.js without n8n; it signs and posts with a new connection per request, like n8n. _floor_: a minimal n8n node that reads two fields and posts them with n8n's helper. _ours_: this package's Send. In _floor_ and _ours_, chat and text are expressions.

**A real n8n** keeps running between the rounds, on its own Node.js 24, with expressions in its isolate. Time is the sum of n8n's execution times of the nodes that send; preparing the items does not count. CPU is that of the whole execution, which starts with a Webhook node and a Code node and is saved at the end (\`saveDataSuccessExecution\` is \`all\`, n8n's default). _ours_: this package's Send, with the option Concurrency only where the table shows another number than ${CONCURRENCY}. _chain_: a Code node for body and timestamp, a Crypto node for the signature, and an HTTP Request node, with their default settings: it sends all requests at once. _Telegram_: n8n's own Telegram node, without the attribution that it appends by default, against a stub of Telegram's API with the same latency as the sandbox. It sends one message after the other.

**TLS**: with a key on the curve P-256. n8n opens a connection per request, so every message costs a handshake.`;

/** What the requests in flight allow, next to what was measured. */
function latencyText(throughput: ThroughputSummary[], { chats }: Workload): string {
	const rows = throughput.filter(({ environment }) => environment === 'n8n');
	const latency = Math.max(...rows.map(({ latencyMs }) => latencyMs));
	const slow = rows.filter(({ latencyMs }) => latencyMs === latency && latencyMs > 0);
	if (slow.length === 0) return '';
	const { texts } = slow[0]!;
	const lines = slow.map(({ name, concurrency, perSecond, outOfOrder }) => {
		const inFlight = concurrency === 'all' ? texts : Math.min(concurrency, chats);
		const bound = (inFlight * 1000) / latency;
		const order = name === 'chain' ? `, ${integer(outOfOrder)} messages out of order` : '';
		return `- _${name}_, ${concurrencyLabel(concurrency)}: at most ${integer(bound)} messages/s, measured ${integer(perSecond)} (${percent(perSecond / bound)})${order}`;
	});
	return `At ${latency} ms, not only CPU time limits the throughput but also the number of requests in flight. With \`n\` requests in flight, at most \`n / ${latency} ms\` messages can be sent:

${lines.join('\n')}

The chain has all requests in flight, so this limit is far away there. Nothing keeps the messages of a chat in order there, and a gateway with a rate limit gets all requests at once. Our node sends one message per chat at a time, so a run also takes at least ${latency} ms for each message of the chat with the most messages: here ${integer(Math.ceil(texts / chats) * latency)} ms for ${integer(texts)} texts to ${chats} chats.`;
}

function conditions({ throughput, realN8n, otherLoad }: Measurements): string {
	const { version } = createRequire(__filename)('n8n-core/package.json') as { version: string };
	const { expressions } = throughput;
	return [
		`- Node.js ${process.versions.node}, ${availableParallelism()} CPUs`,
		`- Before the start, other processes used ${percent(otherLoad.all)} of the CPUs (${percent(otherLoad.lowPriority)} with low priority)`,
		`- n8n-core ${version}`,
		`- Expressions in n8n-core: ${EXPRESSION_ENGINES[expressions] ?? expressions}`,
		`- Real n8n: ${realN8n?.version ?? NOT_MEASURED}`,
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
	const loads = [...new Set(rows.map(loadLabel))];
	const lines = loads.flatMap((load) =>
		rows
			.filter((row) => loadLabel(row) === load)
			.map((row) => [
				load,
				ENVIRONMENT_LABELS[row.environment],
				row.name,
				concurrencyLabel(row.concurrency),
				integer(row.texts),
				`${integer(row.perSecond)} (${integer(row.slowest)} to ${integer(row.fastest)})`,
				ratios(row, 'wall'),
				ifKnown(row.cpuMsPerText, 'ms'),
				ratios(row, 'cpu'),
				String(row.outOfOrder),
			]),
	);
	const notMeasured = ['', ENVIRONMENT_LABELS.n8n, '', '', '', NOT_MEASURED, '', '', '', ''];
	const hasRealN8n = rows.some(({ environment }) => environment === 'n8n');
	return table(
		[
			'Latency',
			'In',
			'Sender',
			'Requests',
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

/** Says which of our rows is meant if there are several. */
function ratios({ name, oursToThis }: ThroughputSummary, cost: 'wall' | 'cpu'): string {
	if (name === 'ours') return '';
	const cells = oursToThis.map((ratio) => {
		const which = oursToThis.length > 1 ? ` (${concurrencyLabel(ratio.concurrency)})` : '';
		return ifKnown(ratio[cost], '×') && `${ifKnown(ratio[cost], '×')}${which}`;
	});
	return cells.join(', ');
}

const PROFILE =
	"CPU time of our Send in n8n's engine at 0 ms latency, by the file of the function that runs. Measured by V8's profiler, which itself costs time. In a real n8n, reading expressions that our node does not compute itself and saving the execution are added.";

function profileTable(profile: Profile): string {
	const total = Object.values(profile).reduce((sum, time) => sum + time, 0);
	const parts = Object.entries(profile).sort(([, a], [, b]) => b - a);
	return table(
		['Part', 'Per message', 'Share'],
		[...parts, ['All', total] as const].map(([part, time]) => [
			part,
			`${time.toFixed(0)} µs`,
			percent(time / total),
		]),
	);
}

function manyItemsText({ manyItems }: Summary, workload: Workload): string {
	const { items, inputItems, outputItems, own } = manyItems;
	const [input, output, ours] = [inputItems, outputItems, own].map((bytes) =>
		(bytes / MEGABYTE).toFixed(0),
	);
	return `Our Send in n8n's engine at 0 ms latency, ${workload.itemRounds} rounds; for the smaller number, each round is the mean of five runs. With ${integer(items)} items, live memory (heap and buffers after a garbage collection, 20 times during one run) was at most ${ours} MB more than n8n's items, which took ${input} MB (input) and ${output} MB (output).`;
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

function filesText(
	{ memory }: Summary,
	{ files, fileMegabytes, fileConcurrency }: Workload,
): string {
	const rows = (
		[
			[memory.binary, "on disk (n8n's filesystem mode)"],
			[memory.url, 'by URL'],
		] as const
	).map(([{ aboveIdle, worst, arrayBuffers, concurrency, seconds }, source]) => [
		source,
		`${integer(aboveIdle)} MB (${integer(worst)} MB)`,
		`${integer(arrayBuffers)} MB`,
		String(concurrency),
		`${seconds.toFixed(1)} s`,
	]);
	return `Send Media with ${files} files of ${fileMegabytes} MB, concurrency ${fileConcurrency}. Each round is a new process that runs only n8n's engine. The memory is resident memory (RSS) at its peak.\n\n${table(
		['Files', 'Memory above idle (worst round)', 'Of it buffers', 'Most files in flight', 'Time'],
		rows,
	)}`;
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
const percent = (share: number) => `${(share * 100).toFixed(0)} %`;
const integer = (number: number) => Math.round(number).toLocaleString('en-US');
