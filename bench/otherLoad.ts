import { cpus } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';

/** The share of all CPUs that other processes use, from 0 to 1. */
export interface OtherLoad {
	all: number;
	/** Of it processes that yield to others (nice). */
	lowPriority: number;
}

const OBSERVED_MS = 3_000;

/** Measured before the benchmark: it says whether the machine was idle. */
export async function otherLoad(): Promise<OtherLoad> {
	const before = times();
	await delay(OBSERVED_MS);
	const after = times();
	const total = after.total - before.total;
	return {
		all: 1 - (after.idle - before.idle) / total,
		lowPriority: (after.nice - before.nice) / total,
	};
}

function times() {
	const sum = { total: 0, idle: 0, nice: 0 };
	for (const { times } of cpus()) {
		sum.total += Object.values(times).reduce((total, time) => total + time, 0);
		sum.idle += times.idle;
		sum.nice += times.nice;
	}
	return sum;
}
