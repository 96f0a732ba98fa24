export interface Workload {
	/** The JIT compiler needs a few thousand messages to optimize the code. */
	warmUpRounds: number;
	rounds: number;
	texts: number;
	chats: number;
	latenciesMs: number[];
	/** For a real n8n. At 50 ms the sequential Telegram node takes so long that fewer texts have to do. */
	realN8nLoads: { latencyMs: number; texts: number }[];
	itemCounts: number[];
	files: number;
	fileMegabytes: number;
	fileConcurrency: number;
}

export const MEGABYTE = 1024 * 1024;

export const FULL: Workload = {
	warmUpRounds: 3,
	rounds: 5,
	texts: 1_000,
	chats: 50,
	latenciesMs: [0, 5, 50],
	realN8nLoads: [
		{ latencyMs: 0, texts: 1_000 },
		{ latencyMs: 5, texts: 1_000 },
		{ latencyMs: 50, texts: 200 },
	],
	itemCounts: [100, 1_000, 10_000],
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
	realN8nLoads: [
		{ latencyMs: 0, texts: 200 },
		{ latencyMs: 50, texts: 50 },
	],
	itemCounts: [100, 500],
	files: 12,
};
