// What became of an alert in each channel. Each goes on after an error, so that one that fails keeps it from no other.

/** Without one, such as in the response of a mail server, it has arrived. */
const DELIVERED = [undefined, 'sent', 'duplicate'];

/** A deactivated node passes the alert on, and one that a user has deleted cannot be read. */
function isActive(channel, alert) {
	try {
		return !channel()
			.all(0)
			.some(({ json }) => JSON.stringify(json) === JSON.stringify(alert));
	} catch {
		return false;
	}
}

/** Why the alert has not arrived; undefined if it has. */
function failureOf(channel) {
	const [item] = channel().all(0);
	if (item === undefined) return channel().all(1)[0]?.json.error ?? 'no output';
	return DELIVERED.includes(item.json.outcome) ? undefined : `its outcome is ${item.json.outcome}`;
}

/** The failures of these channels, by name, and whether the alert has reached one of them that is active. */
function resultsOf(alert, channels) {
	const active = Object.keys(channels).filter((name) => isActive(channels[name], alert));
	const failures = active.flatMap((name) => {
		const failure = failureOf(channels[name]);
		return failure === undefined ? [] : [`${name} (${failure})`];
	});
	return { failures, isAnyActive: active.length > 0, isDelivered: failures.length < active.length };
}

/** An item for the node that stops, if anything has failed. */
const itemsOf = (failures) =>
	failures.length > 0 ? [{ json: { failures: failures.join(', ') } }] : [];

module.exports = { resultsOf, itemsOf };
