import type { Extent } from './extent';
import type { Figures, ThroughputFigures } from './figures';
import { NOT_MEASURED } from './inN8n/installed';

type Id = 'floor' | 'chain' | 'Telegram' | 'order' | 'growth' | 'memory' | 'signing' | 'loading';

/** Why a target is missed, for as long as it is; said only then. */
const REASONS: Partial<Record<Id, string>> = {
	chain:
		"it sends everything at once and waits for no answer, ours ten at a time; and n8n fetches and decrypts a credential for every request that has one: ours, not the chain's",
	growth:
		"100 items are a short run, and short runs are dearer for everybody: tried alone, the floor's took 1.24 times as long per item as its 1,000, and a bare loop's 2.4 times",
	Telegram:
		'for every message of either, n8n works on expressions, credential and connection; only waiting goes side by side',
};

export interface Target {
	what: string;
	atMost: string;
	measured: string;
	outcome: string;
}

export function targets(figures: Figures, extent: Extent): Target[] {
	const { throughput, violations, growthRatio, memory, signing, loadingMs } = figures;
	return [
		...throughput
			.filter(({ name }) => name === 'floor')
			.map((row) => timeTarget('floor', row, "the floor's", 1.15)),
		...timeTargetsInN8n(throughput),
		target('order', 'Messages out of order in their chat', violations, 0, ''),
		target('growth', 'Time per item, the dearest to the cheapest', growthRatio, 1.2, '×'),
		memoryTarget(memory, extent),
		target('signing', "Signature, to a bare createHmac's", signing.ratio, 1.5, '×'),
		target('loading', 'Loading the built node', loadingMs, 30, 'ms'),
	];
}

function timeTargetsInN8n(throughput: ThroughputFigures[]): Target[] {
	const of = (which: ThroughputFigures['name']) => throughput.filter(({ name }) => name === which);
	const toChain = of('chain').map((row) => timeTarget('chain', row, "the chain's", 0.8));
	const toTelegram = of('Telegram').map((row) => {
		// Eight times its rate.
		const atMost = row.latencyMs === 50 ? 1 / 8 : 0.4;
		return timeTarget('Telegram', row, "Telegram's", atMost);
	});
	if (toChain.length > 0) return [...toChain, ...toTelegram];
	return [
		unmeasured("Time, to the chain's", '0.8 ×', NOT_MEASURED),
		unmeasured("Time, to Telegram's", '0.4 ×', NOT_MEASURED),
		unmeasured("Time at 50 ms latency, to Telegram's", '0.125 ×', NOT_MEASURED),
	];
}

function timeTarget(
	id: Id,
	{ latencyMs, oursToIts }: ThroughputFigures,
	whose: string,
	atMost: number,
): Target {
	const what = `Time at ${latencyMs} ms latency, to ${whose}`;
	return target(id, what, oursToIts.wall, atMost, '×');
}

/** Says nothing where another number of files was on its way: fewer need less. */
function memoryTarget(
	{ aboveIdle, atOnce }: Figures['memory'],
	{ files, fileMegabytes, filesAtOnce }: Extent,
): Target {
	const what = `Peak above idle, ${files} files of ${fileMegabytes} MB, concurrency ${filesAtOnce}`;
	const megabytes = 2.5 * fileMegabytes * filesAtOnce + 50;
	if (atOnce === filesAtOnce) return target('memory', what, aboveIdle, megabytes, 'MB');
	return unmeasured(what, `${megabytes} MB`, `not measured: the node sent ${atOnce} files at once`);
}

function target(id: Id, what: string, measured: number, atMost: number, unit: string): Target {
	const missed = `**missed**: ${REASONS[id] ?? 'the reason is not known yet'}`;
	const digits = unit === '×' ? 2 : 0;
	return {
		what,
		atMost: `${atMost} ${unit}`,
		measured: `${measured.toFixed(digits)} ${unit}`,
		outcome: measured <= atMost ? 'met' : missed,
	};
}

function unmeasured(what: string, atMost: string, outcome: string): Target {
	return { what, atMost, measured: '', outcome };
}
