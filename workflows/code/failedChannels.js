// An item if a channel has failed, or the table.
const { itemsOf, resultsOf } = require('./shared/channels.js');

const channels = {
	Email: () => $('Email'),
	Chat: () => $('Chat'),
	'the data table': () => $('Store alert'),
};
return itemsOf(resultsOf($('Alert').first().json, channels).failures);
