// Remembers the lines of the alert if it has reached an active channel, or the data table if none is active.
const { isSent, isStored, itemsOf, resultsOf } = require('./shared/channels.js');

const people = { Email: () => $('Email'), Chat: () => $('Chat'), Message: () => $('Message') };
const table = { 'the data table': () => $('Store alert') };
const toPeople = resultsOf(() => $('Alert'), people, isSent);
const toTable = resultsOf(() => $('Alerts table'), table, isStored);
if (toPeople.isAnyActive ? toPeople.isDelivered : toTable.isDelivered) {
	const memory = $getWorkflowStaticData('global');
	const lines = $('Alert lines')
		.all()
		.map(({ json }) => json.line);
	memory.alerted = [...(memory.alerted ?? []), ...lines];
}
return itemsOf([...toPeople.failures, ...toTable.failures]);
