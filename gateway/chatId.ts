import { InvalidInput } from './invalidInput';

const GOOD_VALUES =
	'Enter a phone number with its country code, e.g. 4915123456789 or +49 151 23456789 (with blanks or brackets only after + or 00), or an ID that ends in @c.us, @g.us or @newsletter.';

/** Marks that come along, unseen, when a number is copied from a web page or a contact. */
const INVISIBLE = /[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** E.164: country code and number have 15 digits at the most; the shortest in use have 7. */
const PHONE_NUMBER = /^[1-9]\d{6,14}$/;

const LOCAL_PARTS: Record<string, RegExp> = {
	'c.us': PHONE_NUMBER,
	'g.us': /^\d{5,30}(-\d{5,20})?$/,
	newsletter: /^\d{5,30}$/,
};

/** What people type as a recipient → what the gateway takes. */
export function chatId(entered: unknown): string {
	const text = asText(entered);
	if (text === undefined) throw refusal(describe(entered));
	if (text === '') {
		throw new InvalidInput("'Chat ID' is empty", GOOD_VALUES);
	}
	const id = text.includes('@') ? addressed(text) : phoneNumber(text);
	if (id === undefined) throw refusal(`'${shortened(text)}'`);
	return id;
}

function asText(entered: unknown): string | undefined {
	if (entered === undefined || entered === null) return '';
	if (typeof entered === 'bigint') return entered.toString();
	// A larger number has lost digits already: it would reach a stranger.
	if (typeof entered === 'number') {
		return Number.isSafeInteger(entered) && entered > 0 ? String(entered) : undefined;
	}
	return typeof entered === 'string' ? entered.replace(INVISIBLE, '').trim() : undefined;
}

function addressed(text: string): string | undefined {
	const [local = '', domain = '', ...rest] = text.toLowerCase().split('@');
	const isKnown = rest.length === 0 && Object.hasOwn(LOCAL_PARTS, domain);
	return isKnown && LOCAL_PARTS[domain]?.test(local) ? `${local}@${domain}` : undefined;
}

/** Whatever could be read in two ways is refused: a message to the wrong person cannot be called back. */
function phoneNumber(text: string): string | undefined {
	const digits = /^(\+|00)/.test(text) ? international(text) : text.replace(/^(\d+)\.0$/, '$1');
	return digits !== undefined && PHONE_NUMBER.test(digits) ? digits : undefined;
}

/** "+49 (0) 151": the nought in brackets is dialled inside the country only. */
const TRUNK_NOUGHT = /^(\d{1,3}[ .\-/]*)\( *0 *\)/;
const SEPARATORS = /[ ().\-/\u2010-\u2015]/g;

/** With a country code in front, separators are for the eye. Without one they may stand between two numbers, or in a date. */
function international(text: string): string | undefined {
	const number = text
		.replace(/[\t\u00a0\u2000-\u200a\u202f]/g, ' ') // blanks of other widths, but no new lines
		.replace(/^(\+|00) */, '')
		.replace(TRUNK_NOUGHT, '$1');
	const isNumber = /^[\d(][\d ().\-/\u2010-\u2015]*\d$/.test(number);
	const isAmbiguous =
		/\( *0/.test(number) || // a nought that is dialled inside the country only, or not
		/\.\d{1,2}$/.test(number) || // a decimal fraction
		number.split('/').some((part, at) => at > 0 && part.replace(/\D/g, '').length < 3) ||
		/^[^/]*(\d[^\d/]*){8}\//.test(number); // a whole number before the slash, another one after it
	return isNumber && !isAmbiguous ? number.replace(SEPARATORS, '') : undefined;
}

function refusal(what: string): InvalidInput {
	return new InvalidInput(`'Chat ID' cannot be ${what}`, GOOD_VALUES);
}

function shortened(text: string): string {
	return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

function describe(entered: unknown): string {
	if (typeof entered === 'number') return `the number ${entered}`;
	return Array.isArray(entered) ? 'a list' : `of type ${typeof entered}`;
}
