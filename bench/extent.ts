/** How much is measured. */
export interface Extent {
	/** Code is compiled well after some thousand messages. */
	warmUpRounds: number;
	rounds: number;
	texts: number;
	chats: number;
	latenciesMs: number[];
	/** In a real n8n, where a text takes the others so long that at 50 ms fewer have to do. */
	loadsInN8n: { latencyMs: number; texts: number }[];
	growth: number[];
	files: number;
	fileMegabytes: number;
	filesAtOnce: number;
}

export const MEGABYTE = 1024 * 1024;

export const FULL: Extent = {
	warmUpRounds: 3,
	rounds: 5,
	texts: 1_000,
	chats: 50,
	latenciesMs: [0, 5, 50],
	loadsInN8n: [
		{ latencyMs: 0, texts: 1_000 },
		{ latencyMs: 5, texts: 1_000 },
		{ latencyMs: 50, texts: 200 },
	],
	growth: [100, 1_000, 10_000],
	files: 100,
	fileMegabytes: 8,
	filesAtOnce: 4,
};

/** Shows that everything works; its figures say little. */
export const QUICK: Extent = {
	...FULL,
	warmUpRounds: 1,
	rounds: 2,
	texts: 200,
	latenciesMs: [0, 5],
	loadsInN8n: [
		{ latencyMs: 0, texts: 200 },
		{ latencyMs: 50, texts: 50 },
	],
	growth: [100, 500],
	files: 12,
};
