// Remembers the lines of the alert if it has reached somebody: an active channel, or the data table if none is active.
const { itemsOf, resultsOf } = require('./shared/channels.js');

const alert = $('Alert').first().json;
const toPeople = resultsOf(alert, {
	Email: () => $('Email'),
	Chat: () => $('Chat'),
	Message: () => $('Message'),
});
const toTable = resultsOf(alert, { 'the data table': () => $('Store alert') });
if (toPeople.isAnyActive ? toPeople.isDelivered : toTable.isDelivered) {
	const memory = $getWorkflowStaticData('global');
	const lines = $('Alert lines')
		.all()
		.map(({ json }) => json.line);
	memory.alerted = [...(memory.alerted ?? []), ...lines];
}
return itemsOf([...toPeople.failures, ...toTable.failures]);
