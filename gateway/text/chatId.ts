import { checkLength, isMissing, NOT_SET, InvalidInput } from '../inputValues';
import { memoized } from '../memoized';
import { COUNTRIES, type Country } from './countries';
import { LINK } from './invites';
import { dialledNumber, PHONE_NUMBER, phoneNumber } from './phoneNumber';

const GOOD_VALUES =
	'Enter a phone number with its country code, e.g. 4915123456789 or +49 151 23456789 (with spaces or brackets only after + or 00), or an ID that ends in @c.us, @g.us or @newsletter. The console of your gateway may show the ID of a group or channel; the node cannot find it by its name.';
const NATIONAL = " For national numbers, e.g. 0151 23456789, add the option 'Default Country'.";
/** Matches invisible marks, which numbers copied from web pages or contacts contain. */
const INVISIBLE = /[\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;
/** Matches marks that show digits in another order than they are sent. A single group after an Arabic or Hebrew mark keeps its order. */
const REORDERED =
	/^[^\u202e]*\u202e[^]*\d|^[^\u061c\u200f\u202b\u2067]*[\u061c\u200f\u202b\u2067][^]*\d\D+\d/;

/** Matches letters of either case. Only the gateway knows which groups and channels exist. */
const GROUP_OR_CHANNEL = /^[\w.-]+$/;

const LOCAL_PARTS: Record<string, RegExp> = {
	'c.us': PHONE_NUMBER,
	'g.us': GROUP_OR_CHANNEL,
	newsletter: GROUP_OR_CHANNEL,
};

/** Returns the recipient ID that the gateway expects. Throws InvalidInput if the entry could mean another recipient, or none. */
export function chatId(entered: unknown, defaultCountry?: Country, label = 'Chat ID'): string {
	const text = asText(entered, label);
	const invalidChatId = (what: string) =>
		new InvalidInput(
			`'${label}' cannot be ${what}`,
			GOOD_VALUES + (defaultCountry ? '' : NATIONAL),
		);
	if (text === undefined) throw invalidChatId(describedEntry(entered));
	if (text === '') throw new InvalidInput(`'${label}' is empty`, GOOD_VALUES);
	const quoted = `'${shortened(text)}'`;
	if (/[a-z]/i.test(text) && LINK.test(text))
		throw invalidChatId(`${quoted}: it is a link, not an ID. Get Invite Info may return the ID`);
	if (/[,;\n]/.test(text)) throw invalidChatId(`${quoted}: an item has one recipient`);
	if (text.includes('@')) {
		const id = addressed(text);
		if (id === undefined) throw invalidChatId(quoted);
		return id;
	}
	const number = phoneNumber(text, defaultCountry);
	if ('digits' in number) return number.digits;
	throw invalidChatId(number.reason === undefined ? quoted : `${quoted}: ${number.reason}`);
}

/** Works like chatId(), but returns undefined instead of throwing InvalidInput. */
export function readId(entered: unknown): string | undefined {
	try {
		return chatId(entered);
	} catch (thrown) {
		if (thrown instanceof InvalidInput) return undefined;
		throw thrown;
	}
}

/** Returns an ID that all spellings of one recipient have in common, and no other recipient has. Expects an ID that chatId() returned. */
export const identityOf = memoized((id) =>
	recipientKind(id) === 'person' ? dialledNumber(id.replace('@c.us', '')) : id,
);

export const recipientKind = (id: string): 'person' | 'group' | 'channel' =>
	id.endsWith('@g.us') ? 'group' : id.endsWith('@newsletter') ? 'channel' : 'person';

/** Returns the country for numbers without a country code; undefined if the option is not set. Throws InvalidInput for an unknown code. */
export function country(entered: unknown): Country | undefined {
	if (entered === NOT_SET) return undefined;
	const code = (typeof entered === 'string' ? entered.trim().toUpperCase() : '') as Country;
	if (COUNTRIES.has(code)) return code;
	throw new InvalidInput(
		`'Default Country' ${isMissing(entered) ? 'is empty' : 'is not the code of a country'}`,
		'Choose a country from the list, or use an expression that returns a code of two letters, e.g. DE, or GB for the United Kingdom. Without the option, numbers need a country code.',
	);
}

/** Matches numbers that may have lost digits and would reach someone else: a spreadsheet writes 4915123456789 as 4.91512E+12. */
const ROUNDED = /^(?=\d{12})\d{1,6}0+$/;

function asText(entered: unknown, label: string): string | undefined {
	if (entered === undefined || entered === null) return '';
	if (typeof entered === 'bigint') return entered.toString();
	if (typeof entered === 'number') {
		return Number.isSafeInteger(entered) && entered > 0 && !ROUNDED.test(String(entered))
			? String(entered)
			: undefined;
	}
	if (typeof entered !== 'string') return undefined;
	checkLength(entered, `'${label}'`);
	if (!REORDERED.test(entered)) return entered.replace(INVISIBLE, '').trim();
	throw new InvalidInput(`'${label}' contains a mark that writes from right to left`, GOOD_VALUES);
}

function addressed(text: string): string | undefined {
	const [local = '', suffix = '', ...rest] = text.split('@');
	// WhatsApp itself writes the same IDs with this suffix.
	const domain = suffix.toLowerCase().replace(/^s\.whatsapp\.net$/, 'c.us');
	const isKnown = rest.length === 0 && Object.hasOwn(LOCAL_PARTS, domain);
	return isKnown && LOCAL_PARTS[domain]?.test(local) ? `${local}@${domain}` : undefined;
}

function shortened(text: string): string {
	return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

function describedEntry(entered: unknown): string {
	if (typeof entered === 'number') {
		const isRounded = ROUNDED.test(String(entered));
		return `the number ${entered}${isRounded ? ': a sheet may have rounded it, so enter all digits as text' : ''}`;
	}
	return Array.isArray(entered) ? 'a list' : `of type ${typeof entered}`;
}
