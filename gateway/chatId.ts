import { InvalidInput } from './invalidInput';

const GOOD_VALUES =
	'Enter a phone number with its country code, e.g. 4915123456789 or +49 151 23456789, or an ID that ends in @c.us, @g.us or @newsletter.';

/** Marks that come along, unseen, when a number is copied from a web page or a contact. */
const INVISIBLE = /[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;
const SEPARATORS = /[\s().\-/\u2010-\u2015]/g;

/** E.164: country code and number have 15 digits at the most; the shortest in use have 7. */
const PHONE_NUMBER = /^[1-9]\d{6,14}$/;

const LOCAL_PARTS: Record<string, RegExp> = {
	'c.us': /^\d{5,20}$/,
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

function phoneNumber(text: string): string | undefined {
	if (!/^\+?\s*[\d(].*\d$/.test(text)) return undefined;
	// A spreadsheet's way to write a whole number; as a separator the dot would add a digit.
	let number = text.replace(/^(\d+)\.0+$/, '$1');
	const international = /^(\+|00)/.test(number);
	// "+49 (0) 151": the nought in brackets is dialled inside the country only.
	if (international) number = number.replace(/\(\s*0\s*\)/, '');
	const digits = number.replace(SEPARATORS, '').replace(/^(\+|00)/, '');
	return PHONE_NUMBER.test(digits) ? digits : undefined;
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
