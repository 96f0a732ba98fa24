// What each row becomes after Send, or as Rules decided. Rows with neighbouring IDs and the same result are one item, so that one
// update writes them all.
const { isUncertain, MAY_HAVE_BEEN_SENT } = require('./shared/rows.js');

const MAX_ATTEMPTS = 10;
/** The status after each outcome. Without one, nothing shows that the message was sent. */
const AFTER = { sent: 'sent', duplicate: 'sent', deferred: 'deferred' };
const now = $now.toUTC().toISO();

/** `details` are missing if n8n could not run the node. Then, and if the cause is not known, the row is tried again. */
function afterFailure(row, error, details) {
	const attempts = row.attempts + 1;
	const isUnknown = details?.retry === 'check';
	const wasUncertain = isUncertain(row);
	const earlier = isUnknown ? '' : 'an earlier attempt is ';
	const isSaid = error.includes(MAY_HAVE_BEEN_SENT) || !(isUnknown || wasUncertain);
	const reason = isSaid ? error : `${error}; ${earlier}${MAY_HAVE_BEEN_SENT}`;
	const sentAt = isUnknown ? now : row.sentAt;
	if (details?.retry !== 'never' && attempts < MAX_ATTEMPTS) {
		// The second attempt is after 20 seconds, and each delay is twice the one before.
		const nextAttemptAt = $now
			.plus({ seconds: 10 * 2 ** attempts })
			.toUTC()
			.toISO();
		return { status: 'pending', attempts, nextAttemptAt, reason, sentAt };
	}
	const status = isUnknown || wasUncertain ? 'unknown' : 'failed';
	return { status, attempts, nextAttemptAt: now, reason, sentAt };
}

function afterSend(row, { outcome, error, details }) {
	if (error !== undefined) return afterFailure(row, error, details);
	const status = AFTER[outcome] ?? 'unknown';
	const reason = status === 'unknown' ? `No outcome; ${MAY_HAVE_BEEN_SENT}` : '';
	return { status, attempts: row.attempts + 1, nextAttemptAt: now, reason, sentAt: now };
}

/** Only a row that waits has a time of its own: others with the same result can be one update. */
const asDecided = ({ status, attempts, nextAttemptAt, reason, sentAt }) => ({
	...{ status, attempts, reason, sentAt },
	nextAttemptAt: status === 'pending' ? nextAttemptAt : now,
});

const results = new Map();
for (const [index, { json }] of $input.all().entries()) {
	const isFromSend = 'outcome' in json || 'error' in json;
	// `pairedItem` of an input item is its own index, so only n8n can follow the pairing to the row.
	const row = isFromSend ? $('Oldest first').itemMatching(index).json : json;
	results.set(row.id, isFromSend ? afterSend(row, json) : asDecided(row));
}

const blocks = [];
for (const [id, result] of [...results].sort(([a], [b]) => a - b)) {
	const last = blocks.at(-1);
	const isNext = last?.toId === id - 1;
	if (isNext && JSON.stringify(last.result) === JSON.stringify(result)) last.toId = id;
	else blocks.push({ fromId: id, toId: id, result });
}
return blocks.map(({ fromId, toId, result }) => ({ json: { fromId, toId, ...result } }));
