export interface Load {
	latencyMs: number;
	/** Where a text takes longer, fewer texts have to do. */
	texts: number;
	/** Over TLS, with a handshake per request. */
	tls?: boolean;
	/** The settings of our node's option Concurrency. */
	concurrencies: number[];
}

export type Workload = typeof FULL;

export const MEGABYTE = 1024 * 1024;

/** The default of our node. */
export const CONCURRENCY = 10;
const concurrencies = [CONCURRENCY];

export const FULL = {
	/** The JIT compiler needs a few thousand messages to optimize the code. */
	warmUpRounds: 2,
	rounds: 5,
	chats: 50,
	engineLoads: [0, 5, 50].map((latencyMs): Load => ({ latencyMs, texts: 1_000, concurrencies })),
	realN8nLoads: [
		{ latencyMs: 0, texts: 1_000, concurrencies },
		{ latencyMs: 0, texts: 500, concurrencies, tls: true },
		{ latencyMs: 5, texts: 500, concurrencies },
		{ latencyMs: 50, texts: 200, concurrencies: [CONCURRENCY, 50] },
	] as Load[],
	/** Two numbers to compare. */
	itemCounts: [1_000, 100_000] as [few: number, many: number],
	/** The larger number takes minutes. */
	itemRounds: 2,
	files: 100,
	fileMegabytes: 8,
	fileConcurrency: 4,
};

/** Checks that the benchmark runs. Its figures are not meaningful. */
export const QUICK: Workload = {
	...FULL,
	warmUpRounds: 1,
	rounds: 2,
	engineLoads: FULL.engineLoads.slice(0, 2).map((load) => ({ ...load, texts: 200 })),
	realN8nLoads: FULL.realN8nLoads.map((load) => ({ ...load, texts: load.texts / 5 })),
	itemCounts: [500, 2_000],
	files: 12,
};
