// What the caller of the outbox gets to know.
const { hasBegun, isSameMessage } = require('./rows.js');

const NOT_KNOWN = 'No message has this id, or its row was deleted';
const TOO_LATE =
	'Too late: it was sent, may have been sent, or has ended. It is not tried again. Its status says more';
const BEGUN = 'The message with this id has begun. Use another id for another message';
const FAILED = 'No row was changed. Repeat the request';

/** By what was decided about the request, and by the row as it is now. */
function responseTo(decided, row) {
	const isWithdrawal = ['withdraw', 'unknown'].includes(decided.change);
	const answer = (code, fields) => ({
		code,
		body: { [isWithdrawal ? 'withdrawn' : 'stored']: code === 200, ...fields },
	});
	if (decided.change === 'unknown') return answer(404, { reason: NOT_KNOWN });
	if (!Number.isInteger(row?.id)) return answer(503, { reason: FAILED });
	const { id, status, recipient, text, sendAt, expiresAt } = row;
	const found = { row: id, status };
	if (decided.change === 'none') return answer(200, found);
	if (isWithdrawal && status === 'withdrawn') return answer(200, found);
	if (decided.change === 'replace' && isSameMessage(row, decided))
		return answer(200, { ...found, replaced: true });
	if (!hasBegun(row)) return answer(503, { reason: FAILED });
	if (isWithdrawal) return answer(409, { ...found, reason: TOO_LATE });
	return answer(409, { ...found, reason: BEGUN, to: recipient, text, sendAt, expiresAt });
}

module.exports = { responseTo };
