const { transform } = require('../../jest.config.js');

/** @type {import('jest').Config} */
module.exports = {
	rootDir: '../..',
	roots: ['<rootDir>/test/live', '<rootDir>/dev/tools'],
	testMatch: ['<rootDir>/test/live/**/*.test.ts'],
	transform,
	globalSetup: '<rootDir>/test/live/setup.mjs',
	globalTeardown: '<rootDir>/test/live/teardown.mjs',
	// The tests share one n8n and one sandbox, so they cannot run in parallel.
	maxWorkers: 1,
	testTimeout: 600_000,
};
