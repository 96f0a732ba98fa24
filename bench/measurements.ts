import { runSeries } from './childProcess';
import { otherLoad, type OtherLoad } from './otherLoad';
import { isRealN8nInstalled } from './realN8n/installed';
import type { Growth } from './series/growth';
import type { ManyItems } from './series/manyItems';
import type { Memory, MemoryInput } from './series/memory';
import type { Profile } from './series/profile';
import type { RealN8nThroughput } from './series/realN8n';
import type { Signing } from './series/signing';
import type { Throughput } from './series/throughput';
import type { Workload } from './workload';

export interface Measurements {
	otherLoad: OtherLoad;
	throughput: Throughput;
	/** Undefined if no real n8n is installed. */
	realN8n: RealN8nThroughput | undefined;
	profile: Profile;
	growth: Growth[];
	manyItems: ManyItems;
	memory: Record<MemoryInput['source'], Memory[]>;
	signing: Signing;
	loading: number[];
}

export async function measure(workload: Workload): Promise<Measurements> {
	const run = async <Result>(series: string, input = workload) => {
		const startedAt = Date.now();
		const result = await runSeries<Result>(series, input);
		console.error(`${series}: ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
		return result;
	};
	const memory = async (source: MemoryInput['source']) => {
		const input: MemoryInput = { ...workload, source };
		return await repeat(workload.rounds, async () => await run<Memory>('memory', input));
	};
	return {
		otherLoad: await otherLoad(),
		loading: await run<number[]>('loading'),
		signing: await run<Signing>('signing'),
		throughput: await run<Throughput>('throughput'),
		realN8n: isRealN8nInstalled() ? await run<RealN8nThroughput>('realN8n') : undefined,
		profile: await run<Profile>('profile'),
		growth: await run<Growth[]>('growth'),
		manyItems: await run<ManyItems>('manyItems'),
		memory: { binary: await memory('binary'), url: await memory('url') },
	};
}

/** A process rarely returns memory to the system, so every memory run needs a new process. */
async function repeat<Result>(rounds: number, run: () => Promise<Result>) {
	const results: Result[] = [];
	for (let round = 0; round < rounds; round++) results.push(await run());
	return results;
}
