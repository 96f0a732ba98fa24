// The test files in the order in which they were asked for: those that probably find the mutation first.
const Sequencer = require('@jest/test-sequencer').default;

module.exports = class extends Sequencer {
	/**
	 * @override
	 * @param {Array<import('@jest/test-result').Test>} tests
	 * @returns {Array<import('@jest/test-result').Test>}
	 */
	sort(tests) {
		const order = (process.env.MUTATION_ORDER ?? '').split('\n');
		const placeOf = (/** @type {{ path: string }} */ { path }) =>
			order.findIndex((file) => path.endsWith(file));
		return [...tests].sort((a, b) => placeOf(a) - placeOf(b));
	}
};
