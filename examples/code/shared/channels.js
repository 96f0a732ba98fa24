// What became of an alert in each channel. Each goes on after an error, so that one that fails keeps it from no other.

/** Without an outcome, as in the response of a mail server, it has arrived. */
const isSent = ({ outcome = 'sent' }) => ['sent', 'duplicate'].includes(outcome);

/** n8n's Data Table node outputs its input after some errors, as if it had stored it. */
const isStored = ({ id }) => Number.isInteger(id);

/** A deactivated node passes its input on, and one that a user has deleted cannot be read. */
function isActive(channel, input) {
	try {
		return JSON.stringify(channel().all(0)[0]?.json) !== JSON.stringify(input().first().json);
	} catch {
		return false;
	}
}

/** The failures of the active ones of these channels, by name, and whether one of them has the alert. */
function resultsOf(input, channels, hasArrived) {
	const active = Object.keys(channels).filter((name) => isActive(channels[name], input));
	const failures = active.flatMap((name) => {
		const [{ json } = { json: undefined }] = channels[name]().all(0);
		if (json && hasArrived(json)) return [];
		const why = json ? json.outcome : channels[name]().all(1)[0]?.json.error;
		return [`${name} (${why ?? 'no confirmation'})`];
	});
	return { failures, isAnyActive: active.length > 0, isDelivered: failures.length < active.length };
}

/** An item for the node that stops, if anything has failed. */
const itemsOf = (failures) =>
	failures.length > 0 ? [{ json: { failures: failures.join(', ') } }] : [];

module.exports = { isSent, isStored, resultsOf, itemsOf };
