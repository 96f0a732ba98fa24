// What became of an alert in each channel. Each goes on after an error, so that one that fails keeps it from no other.

/** Without one, such as in the response of a mail server, it has arrived. */
const DELIVERED = [undefined, 'sent', 'duplicate'];

/** A deactivated node passes the alert on. */
const isOff = (channel, alert) =>
	channel.all(0).some(({ json }) => JSON.stringify(json) === JSON.stringify(alert));

/** Why the alert has not arrived; undefined if it has. */
function failureOf(channel) {
	if (!channel.isExecuted) return 'not executed';
	const [item] = channel.all(0);
	if (item === undefined) return channel.all(1)[0]?.json.error ?? 'no output';
	if (DELIVERED.includes(item.json.outcome)) return undefined;
	return `its outcome is ${item.json.outcome}`;
}

/** Which channels are active, and an item for a node that stops if one of them has failed, or the table. */
function resultsOf(alert, channels, table) {
	const active = Object.entries(channels).filter(([, channel]) => !isOff(channel, alert));
	const failures = [...active, ['the data table', table]].flatMap(([name, channel]) => {
		const failure = failureOf(channel);
		return failure === undefined ? [] : [`${name} (${failure})`];
	});
	const items = failures.length > 0 ? [{ json: { failures: failures.join(', ') } }] : [];
	return { active: active.map(([, channel]) => channel), items };
}

module.exports = { failureOf, resultsOf };
