/** `npm run test:deep` sets it. */
export const isDeep = process.env.TEST_DEPTH === 'deep';

/** How many cases to run: a fixed, small sample in `npm test`, and many in `npm run test:deep`. */
export const depth = (sample: number, deep: number): number => (isDeep ? deep : sample);

/**
 * The seed of a random test: random in `npm run test:deep`, and fixed in `npm test`, where a failure must come from a change. The
 * environment variable repeats a failed run.
 */
export const seedFrom = (variable: string): number =>
	Number(process.env[variable] ?? (isDeep ? Math.floor(Math.random() * 2 ** 30) : 1));
