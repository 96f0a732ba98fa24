// What the request changes: no row, the row with its ID, or a new one.
const { isSameMessage } = require('./shared/rows.js');
const { rowsOf } = require('./shared/tables.js');

/** May I write? can add the identity of the person. */
const asked = $('May I write?').isExecuted
	? $('May I write?').first().json
	: $('Check request').first().json;
const [row] = rowsOf($input.all());
const { requestId, recipient, text, sendAt, expiresAt, person } = asked;
const message = {
	...{ requestId, recipient, text, sendAt, expiresAt, person },
	...{ status: 'pending', attempts: 0, reason: '', nextAttemptAt: sendAt ?? $now.toUTC().toISO() },
};

function decision() {
	// After an error, n8n's Data Table node outputs its input.
	const isEmpty = Object.keys($input.first().json).length === 0;
	if (!row && !isEmpty) return { step: 'respond', change: 'failed' };
	if (asked.cancel) {
		if (!row) return { step: 'respond', change: 'unknown' };
		return { ...row, step: 'change', change: 'withdraw', status: 'withdrawn' };
	}
	if (!row) return { step: 'store', change: 'store', ...message };
	if (isSameMessage(row, message)) return { step: 'respond', change: 'none', ...row };
	return { id: row.id, step: 'change', change: 'replace', ...message };
}

return [{ json: decision() }];
