/** @type {import('jest').Config} */
module.exports = {
	testMatch: ['<rootDir>/test/**/*.test.ts'],
	transform: { '\\.ts$': ['ts-jest', { tsconfig: 'tsconfig.json', diagnostics: false }] },
	setupFiles: ['<rootDir>/test/environment.ts'],
	testTimeout: 20_000,
};
