/** @type {import('jest').Config} */
module.exports = {
	// Not the whole project: live/ holds all of n8n.
	roots: ['<rootDir>/test'],
	testMatch: ['<rootDir>/test/**/*.test.ts'],
	// They need a real n8n: npm run test:live.
	testPathIgnorePatterns: ['<rootDir>/test/live/'],
	transform: { '\\.ts$': ['ts-jest', { tsconfig: 'tsconfig.json', diagnostics: false }] },
	setupFiles: ['<rootDir>/test/harness/environment.ts'],
	// Only to end a test that hangs: a busy machine can be many times slower.
	testTimeout: 120_000,
	// Most of the time is waiting; left to itself, Jest takes one on two cores.
	maxWorkers: 2,
};
