// When the campaigns of a number pause themselves.

/** The documented status, and what other gateways call it. */
const LOGGED_OUT = /^(AUTH\w*(FAIL|ERROR)|LOGGED_?OUT)/i;
const BLOCKED = /^(BANNED|BLOCKED|SUSPENDED)/i;

/** Why nothing can be sent over a number until a person acts; undefined if it can. By the output of Get Status, or of a failed item. */
function lossOf(number, { status = '', details }) {
	const of = number ? ` of ${number}` : '';
	const shown = status ? ` (${status})` : '';
	if (details?.cause === 'logged_out' || LOGGED_OUT.test(status)) {
		return `The phone${of} has logged the session out${shown}. Pair it again, then choose Resume`;
	}
	if (details?.cause === 'banned' || BLOCKED.test(status)) {
		return `The account${of} is blocked${shown}. Check the phone and the gateway's console, then choose Resume`;
	}
	return undefined;
}

module.exports = { lossOf };
