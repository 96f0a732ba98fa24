const { transform } = require('../../jest.config.js');

/** @type {import('jest').Config} */
module.exports = {
	rootDir: '../..',
	roots: ['<rootDir>/test/compat'],
	// Not called .test.ts: `npm test` would take it for one of its own.
	testMatch: ['<rootDir>/test/compat/everyOperation.ts'],
	transform,
	globalSetup: '<rootDir>/test/compat/setup.mjs',
	globalTeardown: '<rootDir>/test/compat/teardown.mjs',
	testTimeout: 60_000,
};
