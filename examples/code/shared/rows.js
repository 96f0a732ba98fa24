// What the rows of the outbox say.

/** Part of the `reason` of a row after an attempt without a response. */
const MAY_HAVE_BEEN_SENT = 'unknown: it may have been sent';

const isUncertain = ({ reason }) => String(reason ?? '').includes(MAY_HAVE_BEEN_SENT);

module.exports = { MAY_HAVE_BEEN_SENT, isUncertain };
