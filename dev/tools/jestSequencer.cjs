// Starts the slowest test files first, so that no worker is left with one at the end. Jest itself knows the times of earlier
// runs only, and a fresh clone has none.
const Sequencer = require('@jest/test-sequencer').default;
const { readFileSync } = require('node:fs');
const { join, relative } = require('node:path');

/** Seconds of the files that take longest; `node dev/tools/testTimes.mjs` measures them again. */
const times = /** @type {Record<string, number>} */ (
	JSON.parse(readFileSync(join(__dirname, '../../test/times.json'), 'utf8'))
);

module.exports = class extends Sequencer {
	/**
	 * @override
	 * @param {Array<import('@jest/test-result').Test>} tests
	 * @returns {Array<import('@jest/test-result').Test>}
	 */
	sort(tests) {
		/** @param {import('@jest/test-result').Test} test */
		const seconds = ({ path, context }) =>
			times[relative(context.config.rootDir, path).replaceAll('\\', '/')] ?? 0;
		return [...tests].sort((a, b) => seconds(b) - seconds(a) || a.path.localeCompare(b.path));
	}
};
