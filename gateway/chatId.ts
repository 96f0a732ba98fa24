import { checkLength } from './inputValues';
import { InvalidInput } from './invalidInput';

const GOOD_VALUES =
	'Enter a phone number with its country code, e.g. 4915123456789 or +49 151 23456789 (with spaces or brackets only after + or 00), or an ID that ends in @c.us, @g.us or @newsletter.';

/** Invisible marks in numbers that are copied from web pages or contacts. */
const INVISIBLE = /[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** E.164: country code and number have at most 15 digits; the shortest in use have 7. */
const PHONE_NUMBER = /^[1-9]\d{6,14}$/;

/** The gateway knows which groups and channels exist, and its IDs may contain letters of either case. */
const GROUP_OR_CHANNEL = /^[\w.-]+$/;

const LOCAL_PARTS: Record<string, RegExp> = {
	'c.us': PHONE_NUMBER,
	'g.us': GROUP_OR_CHANNEL,
	newsletter: GROUP_OR_CHANNEL,
};

/** Converts what the user entered into the recipient ID that the gateway expects. */
export function chatId(entered: unknown): string {
	const text = asText(entered);
	if (text === undefined) throw invalid(describe(entered));
	if (text === '') {
		throw new InvalidInput("'Chat ID' is empty", GOOD_VALUES);
	}
	const id = text.includes('@') ? addressed(text) : phoneNumber(text);
	if (id === undefined) throw invalid(`'${shortened(text)}'`);
	return id;
}

function asText(entered: unknown): string | undefined {
	if (entered === undefined || entered === null) return '';
	if (typeof entered === 'bigint') return entered.toString();
	// A larger number has already lost digits, so the message would reach someone else.
	if (typeof entered === 'number') {
		return Number.isSafeInteger(entered) && entered > 0 ? String(entered) : undefined;
	}
	if (typeof entered !== 'string') return undefined;
	checkLength(entered, "'Chat ID'");
	return entered.replace(INVISIBLE, '').trim();
}

function addressed(text: string): string | undefined {
	const [local = '', suffix = '', ...rest] = text.split('@');
	// WhatsApp's own suffix of the same IDs.
	const domain = suffix.toLowerCase().replace(/^s\.whatsapp\.net$/, 'c.us');
	const isKnown = rest.length === 0 && Object.hasOwn(LOCAL_PARTS, domain);
	return isKnown && LOCAL_PARTS[domain]?.test(local) ? `${local}@${domain}` : undefined;
}

/** Rejects everything ambiguous, because a message to the wrong person cannot be recalled. */
function phoneNumber(text: string): string | undefined {
	const digits = /^(\+|00)/.test(text) ? international(text) : text.replace(/^(\d+)\.0$/, '$1');
	return digits !== undefined && PHONE_NUMBER.test(digits) ? digits : undefined;
}

/** "+49 (0) 151": the zero in brackets is dialled only within the country. */
const TRUNK_ZERO = /^(\d{1,3}[ .\-/]*)\( *0 *\)/;
const SEPARATORS = /[ ().\-/\u2010-\u2015]/g;

/** Separators are ignored after a country code. Without one they may separate two numbers, or be part of a date. */
function international(text: string): string | undefined {
	const number = text
		.replace(/[\t\u00a0\u2000-\u200a\u202f]/g, ' ') // spaces of other widths, but no line breaks
		.replace(/^(\+|00) */, '')
		.replace(TRUNK_ZERO, '$1');
	const isNumber = /^[\d(][\d ().\-/\u2010-\u2015]*\d$/.test(number);
	const [beforeSlash = 0, ...afterSlashes] = number
		.split('/')
		.map((part) => part.replace(/\D/g, '').length);
	const isAmbiguous =
		/\( *0/.test(number) || // a zero that may or may not be dialled from abroad
		/\.\d{1,2}$/.test(number) || // a decimal fraction
		afterSlashes.some((digits) => digits < 3) ||
		(afterSlashes.length > 0 && beforeSlash >= 8); // a complete number before the slash, another one after it
	return isNumber && !isAmbiguous ? number.replace(SEPARATORS, '') : undefined;
}

function invalid(what: string): InvalidInput {
	return new InvalidInput(`'Chat ID' cannot be ${what}`, GOOD_VALUES);
}

function shortened(text: string): string {
	return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

function describe(entered: unknown): string {
	if (typeof entered === 'number') return `the number ${entered}`;
	return Array.isArray(entered) ? 'a list' : `of type ${typeof entered}`;
}
