import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { startGateway } from './receiver/gateway';
import { median } from './report/section';
import { createLoad } from './soakLoad';
import { MEGABYTE } from './workload';

const SAMPLES = 120;
/** Compiling code and filling caches takes memory at first. */
const WARM_UP_SHARE = 0.2;
/** Tolerated growth from the first half of a run to the second. */
const MAX_GROWTH_MB = 5;

async function main(): Promise<void> {
	const { values } = parseArgs({ options: { minutes: { type: 'string', default: '30' } } });
	const minutes = Number(values.minutes);
	const { live, maxRss, executions, rounds } = await soak(minutes);
	const measured = live.slice(Math.ceil(live.length * WARM_UP_SHARE));
	const half = Math.floor(measured.length / 2);
	const before = median(measured.slice(0, half));
	const after = median(measured.slice(half));
	console.log(
		`${minutes} minutes, ${rounds} rounds, ${executions} executions. Heap after a garbage collection: ${before.toFixed(1)} MB in the first half, ${after.toFixed(1)} MB in the second half (medians, without the warm-up). Resident memory: at most ${maxRss.toFixed(0)} MB.`,
	);
	const isStable = after - before <= MAX_GROWTH_MB;
	console.log(`\n${isStable ? '1 passed, 0 failed' : '0 passed, 1 failed'}`);
	process.exit(isStable ? 0 : 1);
}

/** Measures the memory of this process, in MB. The gateway is a different process. */
async function soak(minutes: number) {
	const runRound = await createLoad(await startGateway());
	const startedAt = performance.now();
	const elapsed = () => (performance.now() - startedAt) / 60_000;
	/** Heap and buffers after a garbage collection. */
	const live: number[] = [];
	let maxRss = 0;
	let executions = 0;
	let rounds = 0;
	while (elapsed() < minutes) {
		executions += await runRound();
		rounds += 1;
		if (elapsed() < (live.length * minutes) / SAMPLES) continue;
		// Sockets that are closing and timers that are about to expire are not leaks.
		await delay(1_000);
		globalThis.gc!();
		const { heapUsed, arrayBuffers, rss } = process.memoryUsage();
		live.push((heapUsed + arrayBuffers) / MEGABYTE);
		maxRss = Math.max(maxRss, rss / MEGABYTE);
	}
	return { live, maxRss, executions, rounds };
}

void main();
