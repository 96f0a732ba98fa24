import { runSeries } from './childProcess';
import { isRealN8nInstalled } from './realN8n/installed';
import type { Growth } from './series/growth';
import type { Memory } from './series/memory';
import type { RealN8nThroughput } from './series/realN8n';
import type { Signing } from './series/signing';
import type { Throughput } from './series/throughput';
import type { Workload } from './workload';

export interface Measurements {
	throughput: Throughput;
	/** Undefined if no real n8n is installed. */
	realN8n: RealN8nThroughput | undefined;
	growth: Growth[];
	memory: Memory[];
	signing: Signing;
	loading: number[];
}

export async function measure(workload: Workload): Promise<Measurements> {
	const run = async <Result>(series: string) => {
		const startedAt = Date.now();
		const result = await runSeries<Result>(series, workload);
		console.error(`${series}: ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
		return result;
	};
	return {
		loading: await run<number[]>('loading'),
		signing: await run<Signing>('signing'),
		throughput: await run<Throughput>('throughput'),
		realN8n: isRealN8nInstalled() ? await run<RealN8nThroughput>('realN8n') : undefined,
		growth: await run<Growth[]>('growth'),
		memory: await repeat(workload.rounds, async () => await run<Memory>('memory')),
	};
}

/** A process rarely returns memory to the system, so every memory run needs a new process. */
async function repeat<Result>(rounds: number, run: () => Promise<Result>) {
	const results: Result[] = [];
	for (let round = 0; round < rounds; round++) results.push(await run());
	return results;
}
