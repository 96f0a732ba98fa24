// What the rows of the outbox say.
const { millis } = require('./millis.js');

/** Part of the `reason` of a row after an attempt without a response. */
const MAY_HAVE_BEEN_SENT = 'unknown: it may have been sent';

const isUncertain = ({ reason }) => String(reason ?? '').includes(MAY_HAVE_BEEN_SENT);

const RELEASED = /^Released (\d+) times? without an attempt/;

/** How often a row was released without an attempt since the last one. */
const releasesOf = ({ reason }) => Number(RELEASED.exec(reason ?? '')?.[1] ?? 0);

/** Whether it waits without progress, which a person has to look into. */
const isStuck = (row) => row.status === 'pending' && releasesOf(row) >= 3;

/** A row that goes back as it was. The reason says so, because without it nobody learns that the outbox makes no progress. */
function releasedBecause(row, why) {
	const times = releasesOf(row) + 1;
	const released = `Released ${times} ${times === 1 ? 'time' : 'times'} without an attempt: ${why}`;
	const earlier = isUncertain(row) ? `; an earlier attempt is ${MAY_HAVE_BEEN_SENT}` : '';
	return { status: 'pending', reason: released + earlier };
}

/** Whether its message can have left. `sentAt` is also set after an attempt without a response. */
const hasBegun = ({ status, sentAt }) => status !== 'pending' || Boolean(sentAt);

/** Whether two rows are the same message at the same time. */
const isSameMessage = (one, other) =>
	one.recipient === other.recipient &&
	one.text === other.text &&
	['sendAt', 'expiresAt'].every((name) => millis(one[name]) === millis(other[name]));

module.exports = {
	MAY_HAVE_BEEN_SENT,
	isUncertain,
	releasesOf,
	isStuck,
	releasedBecause,
	hasBegun,
	isSameMessage,
};
