import { setTimeout as pause } from 'node:timers/promises';

/** What one run took of the clock and of the processor. */
export interface Cost {
	wallMs: number;
	cpuMs: number;
}

/**
 * n8n makes the isolate for the next run when the one before has ended. Garbage is not collected by
 * force: that throws compiled code away, and short runs then seem dearer than long ones.
 */
const SETTLING_MS = 100;

export async function settled(): Promise<void> {
	await pause(SETTLING_MS);
}

export async function costOf(work: () => Promise<void>): Promise<Cost> {
	await settled();
	const cpuBefore = process.cpuUsage();
	const startedAt = performance.now();
	await work();
	const wallMs = performance.now() - startedAt;
	const { user, system } = process.cpuUsage(cpuBefore);
	return { wallMs, cpuMs: (user + system) / 1000 };
}

/**
 * All in turn, round after round, every round begun by another one: what else happens on the machine
 * befalls them alike. Results are in the order of the contestants, one per round.
 */
export async function inTurn<Contestant, Result>(
	contestants: Contestant[],
	rounds: number,
	measure: (contestant: Contestant) => Promise<Result>,
): Promise<Result[][]> {
	const results: Result[][] = contestants.map(() => []);
	for (let round = 0; round < rounds; round++) {
		for (let turn = 0; turn < contestants.length; turn++) {
			const who = (round + turn) % contestants.length;
			results[who]!.push(await measure(contestants[who]!));
		}
	}
	return results;
}

export function median(numbers: number[]): number {
	const sorted = [...numbers].sort((a, b) => a - b);
	const middle = sorted.length >> 1;
	return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Neighbours in one round are compared with each other, before the middle is taken. */
export function medianRatio(these: number[], those: number[]): number {
	return median(these.map((one, round) => one / those[round]!));
}
