// What each row becomes after Send. Rows with neighbouring IDs and the same result are one item, so that one update writes them all.
const { isUncertain, MAY_HAVE_BEEN_SENT } = require('./shared/rows.js');

const MAX_ATTEMPTS = 10;
/** The status after each outcome. Without one, nothing shows that the message was sent. */
const AFTER = { sent: 'sent', duplicate: 'sent', deferred: 'deferred' };
const MAX_ROWS = 20;
const BATCH_SECONDS = 45;
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
 * no attempt; the row waits, because it may be the limit of its chat. A row that was late is due as before.
 */
function afterFailure(row, error, details) {
	if (isLate(details)) {
		const { attempts, nextAttemptAt, sentAt } = row;
		return { status: 'pending', attempts, nextAttemptAt, reason: row.reason, sentAt };
	}
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

const results = new Map();
const toSendAgain = new Set();
const isLimited = $input.all().some(({ json }) => isLimit(json.details));
let claimedAt = Infinity;
let number = '';
for (const [index, { json }] of $input.all().entries()) {
	// `pairedItem` of an input item is its own index, so only n8n can follow the pairing to the row.
	const row = $('Oldest first').itemMatching(index).json;
	claimedAt = Math.min(claimedAt, Date.parse(row.updatedAt));
	number = row.number || '';
	const result = afterSend(row, json);
	results.set(row.id, result);
	if (result.status === 'pending' && json.outcome === undefined) toSendAgain.add(row.id);
}

const TRIED_LATELY = 8;

/** Whether one of the last batches of this run, with more rows, took too long or could not send all of them. */
const wasTooLarge = (rows) =>
	Array.from({ length: Math.min(TRIED_LATELY, $runIndex) }, (_, back) => $runIndex - 1 - back)
		.map((run) => $('Results').all(0, run)[0].json.batch)
		.some((batch) => batch.rows > rows && (batch.isFailed || batch.seconds > BATCH_SECONDS));

/**
 * How many rows the next batch has. A claim lasts five minutes, so a batch is so small that it takes 45 seconds if the gateway is
 * as fast as it was, and at most twice as large as the last one. A gateway that needs long for a message may send many at once: so
 * one row more is tried now and then. After a row that has to be sent again, it is a single row. If nothing was sent, this run sends
 * nothing more for the number, except at a rate limit: Send waits for it. A test counts as sent.
 */
function nextBatch({ rows, seconds, isFailed }) {
	if (isFailed) return toSendAgain.size === rows && !isLimited ? 0 : 1;
	const next = Math.min(2 * rows, MAX_ROWS, Math.floor((rows * BATCH_SECONDS) / seconds));
	const isStuck = next <= rows && rows < MAX_ROWS && seconds <= BATCH_SECONDS;
	return isStuck && !wasTooLarge(rows) ? rows + 1 : Math.max(1, next);
}

const seconds = Math.max(1, ($now.toMillis() - claimedAt) / 1000);
const batch = { rows: results.size, seconds, isFailed: toSendAgain.size > 0 };
const blocks = [];
for (const [id, result] of [...results].sort(([a], [b]) => a - b)) {
	const last = blocks.at(-1);
	const isNext = last?.toId === id - 1;
	if (isNext && JSON.stringify(last.result) === JSON.stringify(result)) last.toId = id;
	else blocks.push({ fromId: id, toId: id, result });
}
return blocks.map(({ fromId, toId, result }) => ({
	json: { fromId, toId, ...result, number, batch, nextBatch: nextBatch(batch) },
}));
