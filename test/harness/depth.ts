/** `node dev/tools/testDeep.mjs` sets it. */
export const isDeep = process.env.TEST_DEPTH === 'deep';

/** How much to try: a fixed, small sample in `npm test`, and much in `node dev/tools/testDeep.mjs`. */
export const depth = (sample: number, deep: number): number => (isDeep ? deep : sample);

/**
 * The seed of a random test: fixed in `npm test`, where a failure must come from a change, and random in `node dev/tools/testDeep.mjs`, where
 * TEST_SEED repeats all of them. The environment variable repeats a failed run. With `skip`, several test files share one sequence.
 */
export function seedFrom(variable: string, skip = 0): number {
	const { [variable]: own, TEST_SEED: common } = process.env;
	if (own !== undefined) return Number(own);
	return isDeep ? Number(common ?? Math.floor(Math.random() * 2 ** 30)) + skip : 1;
}
