const { join } = require('node:path');

const { transform } = require('../../jest.config.js');

/** @type {{ dependencies: { n8n: string } }} */
const { dependencies } = require(join(process.env.N8N_INSTALLATION, 'package.json'));
const hasHumanReview = !/^(1|2\.[0-5])\./.test(dependencies.n8n);

/** @type {import('jest').Config} */
module.exports = {
	rootDir: '../..',
	roots: ['<rootDir>/test/compat', '<rootDir>/test/live'],
	testMatch: [
		// Not named .test.ts, so that `npm test` does not run it.
		'<rootDir>/test/compat/everyOperation.ts',
		'<rootDir>/test/live/guardrails.test.ts',
		...(hasHumanReview ? ['<rootDir>/test/live/humanReview.test.ts'] : []),
	],
	transform,
	globalSetup: '<rootDir>/test/compat/setup.mjs',
	globalTeardown: '<rootDir>/test/compat/teardown.mjs',
	testTimeout: 60_000,
};
