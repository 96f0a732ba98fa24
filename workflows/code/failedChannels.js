// An item if a channel has failed, or the table.
const { resultsOf } = require('./shared/channels.js');

const channels = { Email: $('Email'), Chat: $('Chat') };
return resultsOf($('Alert').first().json, channels, $('Store alert')).items;
