// The options of Send, which are the same for all messages of a batch. An expression in Send is evaluated once per message, and the
// clock goes on in between.
const MAX_SECONDS = 120;
const MAX_WAIT_SECONDS = 60;

/** Each row with them. Every attempt has to end before the first of the rows expires. */
function withSendOptions(rows, messagesPerMinute) {
	const toSend = rows.filter(({ status }) => status === 'sending');
	const seconds = toSend
		.filter(({ expiresAt }) => expiresAt)
		.map(({ expiresAt }) => Math.floor((Date.parse(expiresAt) - $now.toMillis()) / 1000) - 1);
	const options = {
		sendWithin: Math.max(1, Math.min(MAX_SECONDS, ...seconds)),
		maxWait: toSend.length > 1 ? 0 : MAX_WAIT_SECONDS,
		messagesPerMinute,
		isNothingToSend: toSend.length === 0,
	};
	return rows.map((row) => ({ ...row, ...options }));
}

module.exports = { withSendOptions };
