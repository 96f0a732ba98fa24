// What a row of the outbox becomes after Send.
const { isUncertain, MAY_HAVE_BEEN_SENT, releasedBecause } = require('./rows.js');

const MAX_ATTEMPTS = 10;
/** The status after each outcome. Without one, nothing shows that the message was sent. */
const AFTER = { sent: 'sent', duplicate: 'sent', deferred: 'deferred' };
const NO_ATTEMPT_SECONDS = 60;
/** Each attempt would be a request to the gateway again, which has the message to the test number already. */
const TEST_SECONDS = 3_600;
const TEST = "Not sent: a test, because of 'Send Messages To' of the credential";
const KEY_WAS_USED =
	'Not sent: the gateway already had a message with this key, and no earlier attempt of this row can have sent it. If the request was repeated with its id, the first row of it counts. Otherwise check whether this person got the message';
const IF_SENT = "If it was sent, add this line to 'Meaning of Responses' of the credential:";
const now = $now.toUTC().toISO();

const isLimit = (details) => details?.cause === 'rate_limit_exceeded';

/** Send had no more time, as if another workflow sends slowly over the same account. */
const isLate = (details) => details?.cause === 'late';

const waitFor = (seconds) => ({
	status: 'pending',
	nextAttemptAt: $now.plus({ seconds }).toUTC().toISO(),
});
/** A row without an attempt keeps what earlier ones left. */
const unsent = ({ attempts, sentAt }, { status, nextAttemptAt, reason }) => {
	return { status, attempts, nextAttemptAt: nextAttemptAt ?? now, reason, sentAt };
};
const EARLIER = `an earlier attempt is ${MAY_HAVE_BEEN_SENT}`;

/** A test is no attempt, and decides nothing about the message. The row waits, so that others are next. */
function afterTest(row, outcome) {
	const seconds = outcome === 'rehearsed' ? NO_ATTEMPT_SECONDS : TEST_SECONDS;
	const { attempts, sentAt } = row;
	return {
		...waitFor(seconds),
		attempts,
		reason: isUncertain(row) ? `${TEST}; ${EARLIER}` : TEST,
		sentAt,
	};
}

/**
 * `details` are missing if n8n could not run the node. Then, and if the cause is not known, the row is tried again. A rate limit is
 * no attempt; the row waits, because it may be the limit of its chat. A row that was late is due again.
 */
function afterFailure(row, error, details) {
	if (isLate(details)) return unsent(row, releasedBecause(row, 'the batch had no more time'));
	const isAttempt = !isLimit(details);
	const attempts = row.attempts + (isAttempt ? 1 : 0);
	const isUnknown = details?.retry === 'check';
	const wasUncertain = isUncertain(row);
	const isSaid = error.includes(MAY_HAVE_BEEN_SENT) || !(isUnknown || wasUncertain);
	const reason = isSaid ? error : `${error}; ${isUnknown ? MAY_HAVE_BEEN_SENT : EARLIER}`;
	const sentAt = isUnknown ? now : row.sentAt;
	if (details?.retry !== 'never' && attempts < MAX_ATTEMPTS) {
		// The second attempt is after 20 seconds, and each delay is twice the one before.
		const seconds = isAttempt ? 10 * 2 ** attempts : NO_ATTEMPT_SECONDS;
		return { ...waitFor(seconds), attempts, reason, sentAt };
	}
	const status = isUnknown || wasUncertain ? 'unknown' : 'failed';
	return { status, attempts, nextAttemptAt: now, reason, sentAt };
}

function afterSend(row, { outcome, error, details, isTest }) {
	if ((isTest || details?.isTest) && !isLate(details)) return afterTest(row, outcome);
	// Which item of the batch it was says nothing to the reader of the report.
	if (error !== undefined) {
		const line = details?.line ? `. ${IF_SENT} ${details.line}` : '';
		return afterFailure(row, error.replace(/ \[item \d+\]/, '') + line, details);
	}
	const after = (status, reason) => {
		return { status, attempts: row.attempts + 1, nextAttemptAt: now, reason, sentAt: now };
	};
	// Whoever knows the key can have used it for another person.
	if (outcome === 'duplicate' && !isUncertain(row)) return after('unknown', KEY_WAS_USED);
	const status = AFTER[outcome];
	return status ? after(status, '') : after('unknown', `No outcome; ${MAY_HAVE_BEEN_SENT}`);
}

module.exports = { now, isLimit, unsent, afterSend };
