// What each row of the batch becomes: after Send, or because it is not sent now. Rows with the same result are one item, so that one
// update writes them all.
const { lossOf } = require('./shared/breaker.js');
const { numberOf, secondsSince } = require('./shared/claims.js');
const { isUncertain, MAY_HAVE_BEEN_SENT, releasedBecause } = require('./shared/rows.js');
const { FINISHED } = require('./shared/states.js');
const { rowsOf } = require('./shared/tables.js');

const MAX_ATTEMPTS = 10;
/** The status after each outcome. Without one, nothing shows that the message was sent. */
const AFTER = { sent: 'sent', duplicate: 'sent', deferred: 'deferred' };
const MAX_ROWS = 20;
/** A batch has at most 12 operations on data tables, and the rules of campaigns need more of them. */
const MAX_GROUPS = { order: 6, campaign: 3 };
/** So many uncertain messages of a number, one after the other, are remembered. */
const MAX_UNCERTAIN = 5;
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

/** Rows with the same values, the largest group first. */
function grouped(entries) {
	const groups = new Map();
	for (const { id, values } of entries) {
		const key = JSON.stringify(values);
		groups.set(key, { values, ids: [...(groups.get(key)?.ids ?? []), id] });
	}
	return [...groups.values()].sort((a, b) => b.ids.length - a.ids.length);
}

const latest = (times) =>
	times.filter(Boolean).reduce((last, time) => (time > last ? time : last), '') || null;

/** Several groups as one. The reason says which row had which. */
function merged(groups, status) {
	const all = groups.map(({ values }) => values);
	const reasons = groups.map(({ ids, values }) => {
		const rows = `${ids.length === 1 ? 'Row' : 'Rows'} ${ids.join(', ')}`;
		return `${rows}: ${[values.status !== status && values.status, values.reason].filter(Boolean).join(', ')}`;
	});
	const values = {
		...{ ...all[0], status, attempts: Math.max(...all.map(({ attempts }) => attempts)) },
		nextAttemptAt: latest(all.map(({ nextAttemptAt }) => nextAttemptAt)),
		reason: all.every(({ reason }) => reason === all[0].reason)
			? all[0].reason
			: reasons.join('; '),
		sentAt: latest(all.map(({ sentAt }) => sentAt)),
	};
	return { values, ids: groups.flatMap(({ ids }) => ids) };
}

/** At most so many groups: first those with the same status become one, then what is left has to be checked by a person. */
function atMost(groups, most) {
	if (groups.length <= most) return groups;
	const kindOf = ({ values }) => `${values.status} ${isUncertain(values)}`;
	const kinds = [...new Set(groups.map(kindOf))].map((kind) => {
		const same = groups.filter((group) => kindOf(group) === kind);
		return same.length === 1 ? same[0] : merged(same, same[0].values.status);
	});
	if (kinds.length <= most) return kinds;
	return [...kinds.slice(0, most - 1), merged(kinds.slice(most - 1), 'unknown')];
}

/** What to write. Rows that wait are released if there are too many groups: the next batch decides about them again. */
function toWrite(sent, waiting, isReleased, most) {
	const isAnyWaiting = waiting.length > 0 || isReleased;
	const groups = atMost(grouped(sent), most - (isAnyWaiting ? 1 : 0));
	const others = grouped(waiting);
	const room = most - groups.length;
	const fits = others.length + (isReleased ? 1 : 0) <= room;
	return {
		groups: [...groups, ...(fits ? others : others.slice(0, room - 1))],
		isToRelease: isReleased || !fits,
	};
}

const batch = $('Batch').first().json;
const isDecided = $('Claimed')
	.all()
	.some(({ json }) => json.status === 'sending' && json.campaign);
const decisions = rowsOf($(isDecided ? 'Rules' : 'Claimed').all());
const outputs = decisions.some(({ status }) => status === 'sending') ? $input.all() : [];
const { claimedBy, updatedAt } = decisions[0];

const results = new Map();
const toSendAgain = new Set();
let loss = decisions.find(({ pausedBecause }) => pausedBecause)?.pausedBecause;
for (const [index, { json }] of outputs.entries()) {
	// `pairedItem` of an input item is its own index, so only n8n can follow the pairing to the row.
	const row = $('Send now?').itemMatching(index).json;
	const result = afterSend(row, json);
	results.set(row.id, result);
	if (result.status === 'pending' && json.outcome === undefined) toSendAgain.add(row.id);
	if (batch.campaign) loss ??= lossOf(batch.number, json);
}

/** A row that follows another one of this batch has what became of that one. */
function resultOf(decision) {
	const first = results.get(decision.follows);
	const followed = FINISHED.includes(first?.status)
		? { ...decision, status: first.status }
		: decision;
	return results.get(decision.id) ?? unsent(decision, followed);
}

function valuesOf(row) {
	const { status, attempts, nextAttemptAt, reason, sentAt } = resultOf(row);
	const { id, number, otherNumbers } = row;
	return { id, values: { status, attempts, nextAttemptAt, reason, sentAt, number, otherNumbers } };
}
const { groups, isToRelease } = toWrite(
	decisions.filter(({ id }) => results.has(id)).map(valuesOf),
	decisions.filter(({ id, isReleased }) => !results.has(id) && !isReleased).map(valuesOf),
	decisions.some(({ isReleased }) => isReleased),
	MAX_GROUPS[batch.campaign ? 'campaign' : 'order'],
);

const isToday = (time) =>
	Boolean(time) && DateTime.fromISO(time).setZone($now.zoneName).toISODate() === batch.day;

/** The counters of the number and the day: each message counts once, however many attempts it has. */
function countsAfter() {
	const begun = decisions.filter(({ id }) => results.get(id)?.sentAt === now);
	if (begun.length === 0) return null;
	const stored = rowsOf($('Known people').all()).find(
		(row) => row.token === batch.day && numberOf(row) === batch.number,
	);
	const { sent = 0, newPeople = 0 } = stored ?? {};
	let uncertain = String(stored?.uncertain ?? '')
		.split(',')
		.filter(Boolean);
	for (const { id } of begun) {
		const others = uncertain.filter((each) => !each.startsWith(`${id} `));
		uncertain = isUncertain(results.get(id)) ? [...others, `${id} ${now}`] : [];
	}
	const counted = begun.filter(({ sentAt }) => !isToday(sentAt));
	return {
		...{ day: batch.day, number: batch.number },
		sent: sent + counted.length,
		newPeople: newPeople + begun.filter(({ isNew }) => isNew).length,
		uncertain: uncertain.slice(-MAX_UNCERTAIN).join(','),
	};
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
function nextSize({ rows, seconds, isFailed }) {
	if (decisions.some(({ isShared }) => isShared)) return 0;
	if (rows === 0) return batch.mostSent;
	const isLimited = outputs.some(({ json }) => isLimit(json.details));
	if (isFailed) return toSendAgain.size === rows && !isLimited ? 0 : 1;
	const next = Math.min(2 * rows, MAX_ROWS, Math.floor((rows * BATCH_SECONDS) / seconds));
	const isStuck = next <= rows && rows < MAX_ROWS && seconds <= BATCH_SECONDS;
	return isStuck && !wasTooLarge(rows) ? rows + 1 : Math.max(1, next);
}

const took = {
	rows: results.size,
	seconds: Math.max(1, secondsSince(updatedAt)),
	isFailed: toSendAgain.size > 0,
};
const { sizes } = $('Results').isExecuted ? $('Results').first().json : {};
const shared = {
	...{ claimedBy, isToRelease, batch: took, counts: countsAfter() },
	...{ pausedBecause: loss ?? '', campaign: batch.campaign },
	sizes: { ...sizes, [batch.number]: nextSize(took) },
};
const ids = decisions.map(({ id }) => id);
// Without a group, no row is written.
const written = groups.length > 0 ? groups : [{ values: {}, ids: [] }];
return written.map(({ values, ids: own }) => ({
	json: { ...shared, ...values, ids: own, others: ids.filter((id) => !own.includes(id)) },
}));
