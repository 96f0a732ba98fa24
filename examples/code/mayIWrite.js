// For each person who is to get a message: whether it may be sent now, and if not, why. For each output of Send: whether the person
// has got a message. The first functions know nothing of n8n.

const { problemInSettings } = require('./shared/campaigns.js');
const { whyNotNow } = require('./shared/personRules.js');
const { MAY_HAVE_BEEN_SENT } = require('./shared/rows.js');
const { rowsOf, uniqueById } = require('./shared/tables.js');

const PURPOSES = ['marketing', 'transactional'];
const SETTINGS = 'Settings of “15. May I write?”';

/** When a message was sent, or is being sent. One without a response counts as sent. */
function timeOf({ sentAt, status }, now) {
	if (sentAt) return Date.parse(sentAt);
	return status === 'sending' ? now : undefined;
}

/** The times at which each person had a message. */
function timesByPerson(messages, now) {
	const times = new Map();
	for (const row of uniqueById(messages)) {
		const time = timeOf(row, now);
		if (time !== undefined) times.set(row.person, [...(times.get(row.person) ?? []), time]);
	}
	return times;
}

/** Whether an output of Send says that the person got the message, or may have got it. In a test, the person got nothing. */
function wasSent({ outcome, error, details, isTest }) {
	if (isTest || details?.isTest) return false;
	if (error === undefined) return ['sent', 'deferred', 'duplicate'].includes(outcome);
	if (details) return details.retry === 'check';
	return error.includes(MAY_HAVE_BEEN_SENT) && !error.startsWith('Rehearsal: ');
}

/**
 * One answer per request, in their order: an earlier one for the same person counts. `error` is missing if the message may be sent,
 * and `message` says from when on it may be.
 */
function answer({ requests, optOuts, messages, now }) {
	const optedOut = new Set(optOuts.map(({ token }) => token));
	const times = timesByPerson(messages, now);

	function whyNot({ invalid, purpose, person, token, limits }) {
		// Example 4 reads the message: a wrong number is no opt-out.
		if (invalid) return { error: invalid, message: 'Correct the phone number' };
		if (!PURPOSES.includes(purpose)) {
			return { error: `'purpose' is '${purpose}'. Use ${PURPOSES.join(' or ')}.` };
		}
		if (purpose === 'transactional') return undefined;
		if (optedOut.has(token)) return { error: 'This person has opted out' };
		const problem = problemInSettings(limits, SETTINGS);
		if (problem) return { error: problem };
		const hold = whyNotNow(times.get(person) ?? [], now, limits);
		if (!hold) return undefined;
		const { timezone } = limits;
		const from = DateTime.fromMillis(hold.until, { zone: timezone });
		return { error: hold.reason, message: `From ${from.toFormat('yyyy-LL-dd HH:mm')} ${timezone}` };
	}

	return requests.map((request) => {
		const refusal = whyNot(request);
		if (!refusal) times.set(request.person, [...(times.get(request.person) ?? []), now]);
		return refusal;
	});
}

const checked = $('Token').all();
const requests = $('Settings')
	.all()
	.map(({ json: { purpose, timezone, ...settings } }, index) => ({
		invalid: checked[index].json.error
			?.replace(/ \[item \d+\]$/, '')
			.replace(/^'Chat ID'.*/s, 'The phone number must start with + and the country code'),
		person: checked[index].json.identity,
		token: String(checked[index].json.token).slice(0, 32),
		purpose: String(purpose || 'marketing')
			.trim()
			.toLowerCase(),
		limits: { ...settings, timezone },
		item: settings.item,
		result: settings.result,
	}));
const refusals = answer({
	requests,
	optOuts: rowsOf($('Opted out').all()),
	messages: rowsOf($('Had messages').all()),
	now: $now.toMillis(),
});

/** n8n sends an item that has only `error` and `message` to the error output of the node that calls this workflow. */
function answerTo({ person, item, result }, refusal, isCounted) {
	if (result) return { counted: isCounted, person };
	return refusal ?? { ...item, mayWrite: true, person };
}

return requests.map((request, index) => {
	const { person, result, invalid } = request;
	const isCounted = Boolean(result) && !invalid && wasSent(result);
	const json = { answer: answerTo(request, refusals[index], isCounted), person, isCounted };
	return { json, pairedItem: { item: index } };
});
