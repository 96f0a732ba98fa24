/** The states in which nothing more happens to a row. A list of the others would miss a state that is new, or edited by hand. */
const FINISHED = [
	...['sent', 'deferred', 'failed', 'unknown', 'expired', 'withdrawn', 'opted out', 'stopped'],
	...['counted', 'invalid'],
];

module.exports = { FINISHED };
