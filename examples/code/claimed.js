// What this run may send of the rows that it has claimed. Only one run may send for a number: if two have claimed rows at the same
// time, at least one of them sees the rows of the other here, because each reads after it has claimed. It releases its own.
const { isTooOld, numberOf } = require('./shared/claims.js');
const { isSameMessage, releasedBecause } = require('./shared/rows.js');
const { FINISHED } = require('./shared/states.js');
const { withSendOptions } = require('./shared/sendOptions.js');
const { rowsOf } = require('./shared/tables.js');

const FOLLOW_SECONDS = 60;

const { ids, number } = $('Batch').first().json;
const { claimedBy } = $('Claim').first().json;
const read = rowsOf($('Being sent').all()).sort((a, b) => a.id - b.id);
const held = read.filter(({ status }) => status === 'sending');
const own = held.filter((row) => row.claimedBy === claimedBy);
const isShared = held.some((row) => row.claimedBy !== claimedBy && numberOf(row) === number);
/** Rows that were released after the batch was chosen: nothing is known about their people. */
const isUnknown = own.some(({ id }) => !ids.includes(id));

/** What becomes of a row with the ID of an earlier one. A caller that repeats a request can have stored it twice. */
function repeated(row, first) {
	if (!isSameMessage(row, first))
		return {
			status: 'failed',
			reason: `Rejected: row ${first.id} has another message with this ID`,
		};
	const same = { reason: `same as row ${first.id}`, follows: first.id };
	if (FINISHED.includes(first.status)) return { ...same, status: first.status };
	const nextAttemptAt = $now.plus({ seconds: FOLLOW_SECONDS }).toUTC().toISO();
	return { ...same, status: 'pending', nextAttemptAt };
}

function decide(row) {
	if (isUnknown) return { status: 'pending', isReleased: true };
	if (isShared) return releasedBecause(row, 'another run was sending for its number');
	if (row.expiresAt && new Date(row.expiresAt) <= $now)
		return { status: row.sentAt ? 'unknown' : 'expired' };
	const first = row.requestId && read.find(({ requestId }) => requestId === row.requestId);
	if (first && first.id !== row.id) return repeated(row, first);
	if (isTooOld(row)) return releasedBecause(row, 'n8n was too slow');
	return { status: 'sending' };
}

const decided = own.map((row) => ({ ...row, isShared, ...decide(row) }));
const isForRules = decided.some(({ status, campaign }) => status === 'sending' && campaign);
// Orders have the pace of the credential.
return withSendOptions(decided, 0).map((row) => ({ json: { ...row, isForRules } }));
