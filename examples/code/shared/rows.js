// What the rows of the outbox say.
const { millis } = require('./millis.js');

/** Part of the `reason` of a row after an attempt without a response. */
const MAY_HAVE_BEEN_SENT = 'unknown: it may have been sent';

const isUncertain = ({ reason }) => String(reason ?? '').includes(MAY_HAVE_BEEN_SENT);

/** Whether its message can have left. `sentAt` is also set after an attempt without a response. */
const hasBegun = ({ status, sentAt }) => status !== 'pending' || Boolean(sentAt);

/** Whether two rows are the same message at the same time. */
const isSameMessage = (one, other) =>
	one.recipient === other.recipient &&
	one.text === other.text &&
	['sendAt', 'expiresAt'].every((name) => millis(one[name]) === millis(other[name]));

module.exports = { MAY_HAVE_BEEN_SENT, isUncertain, hasBegun, isSameMessage };
