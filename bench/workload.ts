/** What a real n8n sends in one run. */
export interface Load {
	latencyMs: number;
	/** Over TLS, with a handshake per request. */
	tls: boolean;
	texts: number;
	/** The settings of our node's option Concurrency. */
	concurrencies: number[];
}

export interface Workload {
	/** The JIT compiler needs a few thousand messages to optimize the code. */
	warmUpRounds: number;
	rounds: number;
	texts: number;
	chats: number;
	latenciesMs: number[];
	/** Where a text takes longer, fewer texts have to do. */
	realN8nLoads: Load[];
	/** The last number is compared with the first one. */
	itemCounts: number[];
	/** The largest number takes minutes. */
	itemRounds: number;
	files: number;
	fileMegabytes: number;
	fileConcurrency: number;
}

export const MEGABYTE = 1024 * 1024;

/** The default of our node. */
export const CONCURRENCY = 10;

export const FULL: Workload = {
	warmUpRounds: 2,
	rounds: 5,
	texts: 1_000,
	chats: 50,
	latenciesMs: [0, 5, 50],
	realN8nLoads: [
		{ latencyMs: 0, tls: false, texts: 1_000, concurrencies: [CONCURRENCY] },
		{ latencyMs: 0, tls: true, texts: 500, concurrencies: [CONCURRENCY] },
		{ latencyMs: 5, tls: false, texts: 500, concurrencies: [CONCURRENCY] },
		{ latencyMs: 50, tls: false, texts: 200, concurrencies: [CONCURRENCY, 50] },
	],
	itemCounts: [1_000, 100_000],
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
	texts: 200,
	latenciesMs: [0, 5],
	realN8nLoads: FULL.realN8nLoads.map((load) => ({
		...load,
		texts: load.latencyMs === 50 ? 100 : 200,
	})),
	itemCounts: [500, 2_000],
	files: 12,
};
