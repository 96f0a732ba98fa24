const { transform } = require('../../jest.config.js');

/** @type {import('jest').Config} */
module.exports = {
	rootDir: '../..',
	roots: ['<rootDir>/test/compat'],
	// Not named .test.ts, so that `npm test` does not run it.
	testMatch: ['<rootDir>/test/compat/everyOperation.ts'],
	transform,
	globalSetup: '<rootDir>/test/compat/setup.mjs',
	globalTeardown: '<rootDir>/test/compat/teardown.mjs',
	testTimeout: 60_000,
};
