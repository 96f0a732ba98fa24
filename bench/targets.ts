import { NOT_MEASURED } from './realN8n/installed';
import type { Summary, ThroughputSummary } from './summary';
import type { Workload } from './workload';

type Id = 'floor' | 'chain' | 'Telegram' | 'order' | 'growth' | 'memory' | 'signing' | 'loading';

/** Known reasons for missed targets. Shown only while the target is missed. */
const REASONS: Partial<Record<Id, string>> = {
	chain:
		'it sends all requests at once, our node ten at a time. And n8n fetches and decrypts the credential for every request of our node; the chain has no credential in its HTTP Request node',
	growth:
		'100 items are a short run, and short runs cost more per item with any node: measured separately, the floor took 1.24 times as long per item with 100 items as with 1,000, and a bare loop 2.4 times as long',
	Telegram:
		'for each message of both nodes, n8n spends CPU time on expressions, credential and connection. Only waiting for responses runs in parallel',
};

export interface Target {
	name: string;
	atMost: string;
	measured: string;
	result: string;
}

export function targets(summary: Summary, workload: Workload): Target[] {
	const { throughput, outOfOrder, growthRatio, memory, signing, loadingMs } = summary;
	return [
		...throughput
			.filter(({ name }) => name === 'floor')
			.map((row) => timeTarget('floor', row, 1.15)),
		...realN8nTargets(throughput),
		target('order', 'Messages out of order within a chat', outOfOrder, 0, ''),
		target('growth', 'Time per item, maximum / minimum', growthRatio, 1.2, '×'),
		memoryTarget(memory, workload),
		target('signing', 'Signing time, ours / bare createHmac', signing.ratio, 1.5, '×'),
		target('loading', 'Loading the built node', loadingMs, 30, 'ms'),
	];
}

function realN8nTargets(throughput: ThroughputSummary[]): Target[] {
	const rowsOf = (sender: ThroughputSummary['name']) =>
		throughput.filter(({ name }) => name === sender);
	const chain = rowsOf('chain').map((row) => timeTarget('chain', row, 0.8));
	const telegram = rowsOf('Telegram').map((row) => {
		// 1/8 of the time is eight times the throughput.
		const atMost = row.latencyMs === 50 ? 1 / 8 : 0.4;
		return timeTarget('Telegram', row, atMost);
	});
	if (chain.length > 0) return [...chain, ...telegram];
	return [
		notMeasured('Time, ours / chain', '0.8 ×', NOT_MEASURED),
		notMeasured('Time, ours / Telegram', '0.4 ×', NOT_MEASURED),
		notMeasured('Time at 50 ms latency, ours / Telegram', '0.125 ×', NOT_MEASURED),
	];
}

function timeTarget(
	id: 'floor' | 'chain' | 'Telegram',
	{ latencyMs, oursToThis }: ThroughputSummary,
	atMost: number,
): Target {
	const name = `Time at ${latencyMs} ms latency, ours / ${id}`;
	return target(id, name, oursToThis.wall, atMost, '×');
}

/** Not measured if the node sent fewer or more files at the same time than intended: fewer files need less memory. */
function memoryTarget(
	{ aboveIdle, concurrency }: Summary['memory'],
	{ files, fileMegabytes, fileConcurrency }: Workload,
): Target {
	const name = `Peak memory above idle, ${files} files of ${fileMegabytes} MB, concurrency ${fileConcurrency}`;
	const megabytes = 2.5 * fileMegabytes * fileConcurrency + 50;
	if (concurrency === fileConcurrency) return target('memory', name, aboveIdle, megabytes, 'MB');
	return notMeasured(
		name,
		`${megabytes} MB`,
		`not measured: the node sent ${concurrency} files at the same time`,
	);
}

function target(id: Id, name: string, measured: number, atMost: number, unit: string): Target {
	const missed = `**missed**: ${REASONS[id] ?? 'the reason is not known yet'}`;
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
