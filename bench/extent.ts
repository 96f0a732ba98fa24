/** How much is measured. */
export interface Extent {
	/** Code is compiled well after some thousand messages. */
	warmUpRounds: number;
	rounds: number;
	texts: number;
	chats: number;
	latenciesMs: number[];
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
	growth: [100, 500],
	files: 12,
};
