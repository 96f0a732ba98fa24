// Prints how each test file ended: with --bail, Jest itself exits before it writes its results.
module.exports = class {
	/**
	 * @param {import('@jest/reporters').Test} test
	 * @param {import('@jest/test-result').TestResult} result
	 */
	onTestResult({ path }, { numFailingTests, testExecError, perfStats: { start, end } }) {
		const isFailed = numFailingTests > 0 || testExecError !== undefined;
		console.log(`\n${JSON.stringify({ path, isFailed, seconds: (end - start) / 1_000 })}`);
	}
};
