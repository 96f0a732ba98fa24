// What became of the request, by the row as it is now. n8n also leads a change that failed to the first output.
const { hasBegun, isSameMessage } = require('./shared/rows.js');
const { rowsOf } = require('./shared/tables.js');

const NOT_KNOWN = 'No message has this id, or its row was deleted';
const TOO_LATE =
	'Too late: it was sent, may have been sent, or has ended. It is not tried again. Its status says more';
const BEGUN = 'The message with this id has begun. Use another id for another message';
const FAILED = 'The data table has changed no row. Repeat the request';

const decided = $('Decide').first().json;
const isWithdrawal = ['withdraw', 'unknown'].includes(decided.change);
const answer = (code, fields) => ({
	code,
	body: { [isWithdrawal ? 'withdrawn' : 'stored']: code === 200, ...fields },
});

function response() {
	if (decided.change === 'unknown') return answer(404, { reason: NOT_KNOWN });
	const [row] = $('Row now').isExecuted ? rowsOf($('Row now').all()) : [decided];
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

return [{ json: response() }];
