// The campaigns that pause themselves: as Rules decided, or because the session ended while a message was sent.
const { lossOf } = require('./shared/breaker.js');

const reasons = new Map();
for (const [index, { json }] of $input.all().entries()) {
	const isFromSend = 'outcome' in json || 'error' in json;
	const row = isFromSend ? $('Oldest first').itemMatching(index).json : json;
	const reason = isFromSend ? lossOf(row.number, json) : json.pausedBecause;
	if (row.campaign && reason) reasons.set(row.campaign, reason);
}
return [...reasons].map(([campaign, reason]) => ({ json: { campaign, reason } }));
