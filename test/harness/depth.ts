/** `npm run test:deep` sets it. */
export const isDeep = process.env.TEST_DEPTH === 'deep';

/** How many cases to run: a fixed, small sample in `npm test`, and many in `npm run test:deep`. */
export const depth = (sample: number, deep: number): number => (isDeep ? deep : sample);

/**
 * The seed of a random test: random in `npm run test:deep`, and fixed in `npm test` and `.ci/run` (TEST_SEED, for all of them), where a
 * failure must come from a change. The environment variable repeats a failed run. With `skip`, several test files share one sequence.
 */
export function seedFrom(variable: string, skip = 0): number {
	const { [variable]: own, TEST_SEED: common } = process.env;
	if (own !== undefined) return Number(own);
	return isDeep ? Number(common ?? Math.floor(Math.random() * 2 ** 30)) + skip : 1;
}
