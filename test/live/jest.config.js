const { transform } = require('../../jest.config.js');

/** @type {import('jest').Config} */
module.exports = {
	rootDir: '../..',
	roots: ['<rootDir>/test/live'],
	testMatch: ['<rootDir>/test/live/**/*.test.ts'],
	transform,
	globalSetup: '<rootDir>/test/live/setup.mjs',
	globalTeardown: '<rootDir>/test/live/teardown.mjs',
	// Each has its own n8n and sandbox.
	maxWorkers: 2,
	testTimeout: 240_000,
};
