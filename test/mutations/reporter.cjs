// Writes down how each test file ended: with --bail, Jest itself exits before it writes its results.
const { appendFileSync } = require('node:fs');

module.exports = class {
	/**
	 * @param {import('@jest/reporters').Test} test
	 * @param {import('@jest/test-result').TestResult} result
	 */
	onTestResult({ path }, { numFailingTests, testExecError, perfStats: { start, end } }) {
		const isFailed = numFailingTests > 0 || testExecError !== undefined;
		const line = JSON.stringify({ path, isFailed, seconds: (end - start) / 1_000 });
		appendFileSync(process.env.MUTATION_RESULTS ?? '', `${line}\n`);
	}
};
