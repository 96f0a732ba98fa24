// What a request asks for, and why it is rejected. What is misunderstood would be sent at once, so nothing is guessed.
const { NO_VALUE } = require('./shared/missing.js');

const MAX_TEXT = 4_096;
/** The idempotency key is the ID with a prefix, and many gateways accept at most 255 characters. */
const MAX_ID = 200;
/** Without an offset, nobody knows which time zone is meant. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/;
const TIMES = ['sendAt', 'expiresAt'];

const { headers, body, query } = $input.first().json;
const isWithdrawal = $('Withdrawal').isExecuted;
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const given = { ...(isObject(body) ? body : {}), ...(isWithdrawal ? { id: query?.id } : {}) };
const cancel = isWithdrawal || given.cancel === true;

const isTextOrNumber = (value) => ['string', 'number'].includes(typeof value);
const isEmpty = (value) => String(value ?? '').trim() === '';
const isUnsafe = (value) => /\u0000/.test(value) || NO_VALUE.test(value);
const timeIn = (value) => (TIME.test(value) ? DateTime.fromISO(value).toMillis() : NaN);

function problemInTimes() {
	const plain = (name) => name.toLowerCase().replace(/[^a-z]/g, '');
	const misspelled = Object.keys(given).find((name) =>
		TIMES.some((time) => plain(name) === plain(time) && name !== time),
	);
	if (misspelled) return `'${misspelled}' is not a field. The fields are 'sendAt' and 'expiresAt'`;
	const wrong = TIMES.find((name) => !isEmpty(given[name]) && Number.isNaN(timeIn(given[name])));
	if (wrong) return `'${wrong}' must be a time with an offset, such as 2026-06-01T09:00:00+02:00`;
	if (isEmpty(given.expiresAt)) return '';
	const from = Math.max($now.toMillis(), isEmpty(given.sendAt) ? 0 : timeIn(given.sendAt));
	return timeIn(given.expiresAt) > from ? '' : "'expiresAt' must be later than now and 'sendAt'";
}

function problem() {
	const { id, to, text } = given;
	if (!isWithdrawal && !String(headers?.['content-type']).startsWith('application/json'))
		return 'The request must be JSON (Content-Type: application/json)';
	if (!isWithdrawal && ![undefined, null, true, false].includes(given.cancel))
		return "'cancel' must be true or false";
	if (cancel && isEmpty(id)) return "'id' is required: which message to withdraw";
	const own = id ?? '';
	if (!isTextOrNumber(own) || isUnsafe(String(own)) || String(own).length > MAX_ID)
		return `'id' must be a text or a number, with at most ${MAX_ID} characters`;
	if (cancel) return '';
	if (!isTextOrNumber(to) || isEmpty(to) || isUnsafe(String(to)))
		return "'to' is required: a phone number or a chat ID";
	if (typeof text !== 'string' || isEmpty(text)) return "'text' is required";
	if (text.length > MAX_TEXT) return `'text' has more than ${MAX_TEXT} characters`;
	if (isUnsafe(text)) return "'text' has U+0000, or a placeholder such as {name} or undefined";
	return problemInTimes();
}

const id = String(given.id ?? '');
const recipient = String(given.to ?? '');
const isoOf = (value) =>
	isEmpty(value) ? null : DateTime.fromISO(value).toUTC().toISO({ suppressMilliseconds: false });
const reason = problem();
if (reason) return [{ json: { problem: reason } }];
return [
	{
		json: {
			...{ problem: '', cancel, requestId: id && `request ${id}`, recipient, text: given.text },
			...{ sendAt: isoOf(given.sendAt), expiresAt: isoOf(given.expiresAt) },
			// As campaigns store it.
			person: recipient.replace(/\D/g, ''),
		},
	},
];
