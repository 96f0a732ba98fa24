// An item if a channel has failed, or the table.
const { isSent, isStored, itemsOf, resultsOf } = require('./shared/channels.js');

const people = { Email: () => $('Email'), Chat: () => $('Chat') };
const table = { 'the data table': () => $('Store alert') };
return itemsOf([
	...resultsOf(() => $('Alert'), people, isSent).failures,
	...resultsOf(() => $('Alerts table'), table, isStored).failures,
]);
