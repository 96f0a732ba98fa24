/** `npm run test:deep` sets it. */
export const isDeep = process.env.TEST_DEPTH === 'deep';

/** How many cases to run: a fixed, small sample in `npm test`, and many in `npm run test:deep`. */
export const depth = (sample: number, deep: number): number => (isDeep ? deep : sample);
