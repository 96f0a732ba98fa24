import { setTimeout as delay } from 'node:timers/promises';

export interface Cost {
	wallMs: number;
	/** NaN where the platform does not report it. */
	cpuMs: number;
}

/**
 * Gives n8n time to create the isolate for the next run, which it does after the previous run has ended. Does not force
 * a garbage collection: that discards compiled code, and short runs then look more expensive than long ones.
 */
const SETTLE_MS = 100;

export const settle = async () => await delay(SETTLE_MS);

export async function measureCost(work: () => Promise<unknown>): Promise<Cost> {
	await settle();
	const cpuBefore = process.cpuUsage();
	const startedAt = performance.now();
	await work();
	const wallMs = performance.now() - startedAt;
	const { user, system } = process.cpuUsage(cpuBefore);
	return { wallMs, cpuMs: (user + system) / 1000 };
}

/**
 * Runs all contestants in every round, and starts each round with a different one, so that other load on the machine
 * affects them equally. Returns one list per contestant with one result per round.
 */
export async function interleave<Contestant, Result>(
	contestants: Contestant[],
	rounds: number,
	measure: (contestant: Contestant) => Promise<Result>,
): Promise<Result[][]> {
	const results: Result[][] = contestants.map(() => []);
	for (let round = 0; round < rounds; round++) {
		for (let turn = 0; turn < contestants.length; turn++) {
			const index = (round + turn) % contestants.length;
			results[index]!.push(await measure(contestants[index]!));
		}
	}
	return results;
}
