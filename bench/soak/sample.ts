import { setTimeout as delay } from 'node:timers/promises';

import { median } from '../statistics';
import { MEGABYTE } from '../workload';

/** Memory of the process that runs n8n's engine, in MB. The gateway is a different process. */
export interface Sample {
	minute: number;
	/** After a garbage collection. */
	heap: number;
	/** After a garbage collection. */
	buffers: number;
	rss: number;
}

/** Compiling code and filling caches takes memory at first. */
const WARM_UP_SHARE = 0.2;

export async function takeSample(minute: number): Promise<Sample> {
	// Sockets that are closing and timers that are about to expire are not leaks.
	await delay(1_000);
	globalThis.gc!();
	const { heapUsed, arrayBuffers, rss } = process.memoryUsage();
	return {
		minute,
		heap: heapUsed / MEGABYTE,
		buffers: arrayBuffers / MEGABYTE,
		rss: rss / MEGABYTE,
	};
}

/** Compares the median of the first half with that of the second half, both without the warm-up. */
export function memoryGrowth(samples: Sample[]) {
	const measured = samples.slice(Math.ceil(samples.length * WARM_UP_SHARE));
	const half = Math.floor(measured.length / 2);
	const before = medianHeap(measured.slice(0, half));
	const after = medianHeap(measured.slice(half));
	return { before, after, growth: after - before };
}

const medianHeap = (samples: Sample[]) =>
	median(samples.map(({ heap, buffers }) => heap + buffers));
