import { apart } from './apart';
import type { Extent } from './extent';
import { hasRealN8n } from './inN8n/installed';
import type { Growth } from './series/growth';
import type { InN8n } from './series/inN8n';
import type { Memory } from './series/memory';
import type { Signing } from './series/signing';
import type { Throughput } from './series/throughput';

export interface Measured {
	throughput: Throughput;
	/** Nothing where no real n8n is installed. */
	inN8n: InN8n | undefined;
	growth: Growth[];
	memory: Memory[];
	signing: Signing;
	loading: number[];
}

export async function measure(extent: Extent): Promise<Measured> {
	const series = async <Result>(name: string) => {
		const startedAt = Date.now();
		const result = await apart<Result>(name, extent);
		console.error(`${name}: ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
		return result;
	};
	return {
		loading: await series<number[]>('loading'),
		signing: await series<Signing>('signing'),
		throughput: await series<Throughput>('throughput'),
		inN8n: hasRealN8n() ? await series<InN8n>('inN8n') : undefined,
		growth: await series<Growth[]>('growth'),
		memory: await inFreshProcesses(extent.rounds, async () => await series<Memory>('memory')),
	};
}

/** What a process has once claimed it seldom gives back, so a second run in it would have nothing to claim. */
async function inFreshProcesses<Result>(rounds: number, run: () => Promise<Result>) {
	const runs: Result[] = [];
	for (let round = 0; round < rounds; round++) runs.push(await run());
	return runs;
}
