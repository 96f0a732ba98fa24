/** @type {import('jest').Config} */
module.exports = {
	// Not the whole project: dev/live/ holds all of n8n.
	roots: ['<rootDir>/test'],
	testMatch: ['<rootDir>/test/**/*.test.ts'],
	// The first need a real n8n: npm run test:live. The second are slow: node dev/tools/testDeep.mjs.
	testPathIgnorePatterns: ['<rootDir>/test/live/', '\\.deep\\.test\\.ts$'],
	// With `isolatedModules` of tsconfig.json, it compiles each file alone and checks no types: `npm test` does that once for all.
	transform: { '\\.ts$': 'ts-jest', '\\.css$': require.resolve('./dev/tools/cssText.cjs') },
	// Load each library once per worker.
	testEnvironment: require.resolve('./dev/tools/jestEnvironment.cjs'),
	runtime: require.resolve('./dev/tools/jestRuntime.cjs'),
	testSequencer: require.resolve('./dev/tools/jestSequencer.cjs'),
	// Each random test has a fixed seed in `npm test` and in CI.
	moduleNameMapper: { '^fast-check$': require.resolve('./dev/tools/fastCheck.cjs') },
	setupFiles: ['<rootDir>/test/harness/environment.ts'],
	// Only to end a test that hangs: a busy machine can be many times slower.
	// A deep test has many cases in one test, and a machine may be busy.
	testTimeout: process.env.TEST_DEPTH === 'deep' ? 1_800_000 : 120_000,
	// Most of the time is waiting; left to itself, Jest takes one on two cores.
	maxWorkers: 2,
	// Starting a worker again costs seconds: it loads n8n.
	workerIdleMemoryLimit: '800MB',
};
