// Remembers the lines of the alert if it has reached somebody: an active channel, or the data table if none is active.
const { failureOf, resultsOf } = require('./shared/channels.js');

const alert = $('Alert').first().json;
const table = $('Store alert');
const channels = { Email: $('Email'), Chat: $('Chat'), Message: $('Message') };
const { active, items } = resultsOf(alert, channels, table);
const isDelivered = (active.length > 0 ? active : [table]).some(
	(channel) => failureOf(channel) === undefined,
);
if (isDelivered) {
	const memory = $getWorkflowStaticData('global');
	const lines = $('Alert lines')
		.all()
		.map(({ json }) => json.line);
	memory.alerted = [...memory.alerted, ...lines];
}
return items;
