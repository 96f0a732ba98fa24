import { NOT_MEASURED } from './realN8n/installed';
import { ENVIRONMENT_LABELS, loadLabel, type Summary, type ThroughputSummary } from './summary';
import { MEGABYTE, type Workload } from './workload';

export interface Target {
	name: string;
	atMost: string;
	measured: string;
	result: string;
}

type Cost = 'wall' | 'cpu';

interface Ratio {
	environment: ThroughputSummary['environment'];
	latencyMs: number;
	concurrency: number;
	cost: Cost;
	to: ThroughputSummary['name'];
	atMost: number;
}

/** At 50 ms with ten requests at a time, both nodes only wait. */
const FLOOR: Ratio[] = [
	{ latencyMs: 0, atMost: 0.8 },
	{ latencyMs: 5, atMost: 0.8 },
	{ latencyMs: 50, atMost: 1.05 },
].map((ratio) => ({
	...ratio,
	environment: 'engine',
	concurrency: 10,
	cost: 'wall',
	to: 'floor',
}));

const REAL_N8N: Ratio[] = (
	[
		{ latencyMs: 0, concurrency: 10, cost: 'wall', to: 'chain', atMost: 0.3 },
		{ latencyMs: 0, concurrency: 10, cost: 'cpu', to: 'chain', atMost: 0.3 },
		{ latencyMs: 0, concurrency: 10, cost: 'wall', to: 'Telegram', atMost: 0.22 },
		{ latencyMs: 5, concurrency: 10, cost: 'wall', to: 'chain', atMost: 0.6 },
		{ latencyMs: 50, concurrency: 50, cost: 'wall', to: 'chain', atMost: 1.2 },
	] as const
).map((ratio) => ({ ...ratio, environment: 'n8n' }));

/** Known reasons for missed targets, by the start of their name. Shown only while the target is missed. */
const REASONS: Record<string, string> = {
	"Time in n8n's engine at":
		"without an isolate, reading the two expressions is 23 % of the floor's CPU time, and most of the rest is n8n, axios and Node.js; order, rate limits and the check of the response cost a part of what our node saves",
	'Loading the built node':
		'a quarter is the libraries for QR codes, Markdown and phone numbers, the rest about a hundred small files; the machine was slow',
};

export function targets(summary: Summary, workload: Workload): Target[] {
	const { throughput, outOfOrder, growth, growthRatio, manyItems, signing, loadingMs } = summary;
	const many = integer(growth.at(-1)!.items);
	const perItem = `per item, ${many} items in one run / ${integer(growth[0]!.items)}`;
	return [
		...REAL_N8N.map((ratio) => ratioTarget(ratio, throughput)),
		...FLOOR.map((ratio) => ratioTarget(ratio, throughput)),
		target('Messages out of order within a chat, our node', outOfOrder, 0, ''),
		target(`Time ${perItem}`, growthRatio.wall, 1.2, '×'),
		target(`CPU ${perItem}`, growthRatio.cpu, 1.2, '×'),
		target(
			`Live memory of our node with ${integer(manyItems.items)} items, without n8n's items`,
			manyItems.own / MEGABYTE,
			50,
			'MB',
		),
		memoryTarget('binary', summary, workload),
		memoryTarget('url', summary, workload),
		target('Signing time, ours / bare createHmac', signing.ratio, 1.5, '×'),
		target('Loading the built node', loadingMs, 30, 'ms'),
	];
}

function ratioTarget(
	{ environment, latencyMs, concurrency, cost, to, atMost }: Ratio,
	throughput: ThroughputSummary[],
): Target {
	const load = `${loadLabel({ latencyMs, tls: false })}, concurrency ${concurrency}`;
	const name = `${cost === 'wall' ? 'Time' : 'CPU'} in ${ENVIRONMENT_LABELS[environment]} at ${load}, ours / ${to}`;
	const row = throughput.find(
		(other) =>
			other.environment === environment &&
			other.latencyMs === latencyMs &&
			!other.tls &&
			other.name === to,
	);
	const ratio = row?.oursToThis.find((ours) => ours.concurrency === concurrency)?.[cost] ?? NaN;
	if (!Number.isNaN(ratio)) return target(name, ratio, atMost, '×');
	const isMissing = environment === 'n8n' && !row;
	return notMeasured(name, `${atMost} ×`, isMissing ? NOT_MEASURED : 'not measured');
}

const SOURCES = { binary: 'on disk', url: 'by URL' };

/** Not measured if the node sent fewer or more files at the same time than intended: fewer files need less memory. */
function memoryTarget(
	source: keyof typeof SOURCES,
	{ memory }: Summary,
	{ files, fileMegabytes, fileConcurrency }: Workload,
): Target {
	const { aboveIdle, concurrency } = memory[source];
	const name = `Peak memory above idle, ${files} files of ${fileMegabytes} MB ${SOURCES[source]}, concurrency ${fileConcurrency}`;
	const megabytes = 2.5 * fileMegabytes * fileConcurrency + 50;
	if (concurrency === fileConcurrency) return target(name, aboveIdle, megabytes, 'MB');
	return notMeasured(
		name,
		`${megabytes} MB`,
		`not measured: the node sent ${concurrency} files at the same time`,
	);
}

function target(name: string, measured: number, atMost: number, unit: string): Target {
	const known = Object.entries(REASONS).find(([start]) => name.startsWith(start));
	const missed = `**missed**: ${known?.[1] ?? 'the reason is not known yet'}`;
	const digits = unit === '×' ? 2 : 0;
	return {
		name,
		atMost: `${atMost} ${unit}`,
		measured: `${measured.toFixed(digits)} ${unit}`,
		result: measured <= atMost ? 'met' : missed,
	};
}

function notMeasured(name: string, atMost: string, result: string): Target {
	return { name, atMost, measured: '', result };
}

const integer = (number: number) => number.toLocaleString('en-US');
