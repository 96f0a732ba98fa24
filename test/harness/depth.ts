/** `npm run test:deep` sets it. */
export const isDeep = process.env.TEST_DEPTH === 'deep';

/** How much to try: a fixed, small sample in `npm test`, and much in `npm run test:deep`. */
export const depth = (sample: number, deep: number): number => (isDeep ? deep : sample);

/** `.ci/run` tries fewer of them. */
const SHARE = Number(process.env.TEST_SHARE ?? 1);

/** A test that waits a minute or two for n8n, which `.ci/run` leaves out. */
export const slowTest = SHARE < 1 ? test.skip : test;

/** The same for random cases that take long. */
export const cases = (sample: number, deep: number): number => depth(sample, deep * SHARE);

/**
 * The seed of a random test: random in `npm run test:deep`, and fixed in `npm test` and `.ci/run` (TEST_SEED, for all of them), where a
 * failure must come from a change. The environment variable repeats a failed run. With `skip`, several test files share one sequence.
 */
export function seedFrom(variable: string, skip = 0): number {
	const { [variable]: own, TEST_SEED: common } = process.env;
	if (own !== undefined) return Number(own);
	return isDeep ? Number(common ?? Math.floor(Math.random() * 2 ** 30)) + skip : 1;
}
