// Whether the claim is so young that its rows are sent, decided once for all of them.
const { isFresh } = require('./shared/claims.js');
const { withSendOptions } = require('./shared/sendOptions.js');

const { messagesPerMinute } = $('Settings').first().json;
const rows = $input
	.all()
	.filter(({ json }) => json.id !== undefined)
	.map(({ json }) => ({ ...json, status: isFresh(json.askedAt) ? 'sending' : 'too old' }));
return withSendOptions(rows, messagesPerMinute).map((json) => ({ json }));
