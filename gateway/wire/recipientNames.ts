import { identityOf, recipientKind } from '../text/chatId';
import { mayBeRecipient } from './messageBody';

export interface ListedRecipient {
	id: string;
	name?: string;
}

/** The names on a list of recipients, so that a model needs no numbers. */
export interface RecipientNames {
	all: string[];
	find: (entered: unknown) => ListedRecipient | undefined;
	nameOf: (id: string) => string | undefined;
	/** Returns JSON data with names in place of recipients, and with marks in place of those that have no name. */
	hide: <T>(data: T) => T;
}

/** Names differ in more than case, spaces around them, and the ways in which Unicode writes a character. */
export const plainName = (name: string) =>
	name.normalize('NFKC').trim().toUpperCase().toLowerCase().normalize('NFKC');

const digitsOf = (text: string) => text.replace(/\D/g, '');

/** Returns whether nobody can take a name for a number or an ID. */
export const isName = (name: string) =>
	/\p{L}/u.test(name) && !name.includes('@') && digitsOf(name).length < 5;

const HIDDEN = '***';
/** Matches an ID, or the digits of a number in any spelling: +49 (151) 234-56789, 0151/2345678. */
const RECIPIENT =
	/(?<![\w.+-])[\w.+-]{1,100}@(?:c\.us|g\.us|lid|newsletter|s\.whatsapp\.net)|\+?\(?\d(?:[\s().\-/\u2010-\u2015]{0,3}\d){6,}/g;
/** The last digits of a person are the same in all spellings, also without a country code. */
const LAST_DIGITS = 7;

export function recipientNames(listed: ListedRecipient[]): RecipientNames | undefined {
	const named = new Map<string, ListedRecipient>();
	for (const each of listed) if (each.name) named.set(plainName(each.name), each);
	if (named.size === 0) return undefined;
	// A recipient may be listed twice, with and without its name.
	const known = [...named.values(), ...listed].map(({ id, name = HIDDEN }) => {
		const digits = digitsOf(id);
		const isPerson = recipientKind(id) === 'person';
		return { id, name, digits, part: isPerson ? digits.slice(-LAST_DIGITS) : digits };
	});
	const shown = (found: string): string | undefined => {
		const digits = digitsOf(found);
		const alike = known.filter(({ id, part }) =>
			part.length < LAST_DIGITS ? found === id : digits.includes(part),
		);
		if (alike.length < 2) return alike[0]?.name;
		return alike.find((each) => digits.includes(each.digits))?.name ?? HIDDEN;
	};
	const inText = (text: string, isRecipient: boolean) => {
		const clean = text.replace(
			RECIPIENT,
			(found) => shown(found) ?? (found.includes('@') ? HIDDEN : found),
		);
		return isRecipient && digitsOf(clean).length >= 5 ? HIDDEN : clean;
	};
	const inValue = (name: string, value: unknown): unknown => {
		if (typeof value === 'string') return inText(value, mayBeRecipient(name));
		if (typeof value === 'number') {
			const clean = inText(String(value), mayBeRecipient(name));
			return clean === String(value) ? value : clean;
		}
		if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
		return Object.fromEntries(Object.entries(value).map(([key, of]) => [inText(key, false), of]));
	};
	return {
		all: [...named.values()].map(({ name }) => name!),
		find: (entered) => (typeof entered === 'string' ? named.get(plainName(entered)) : undefined),
		nameOf: (id) =>
			[...named.values()].find((each) => identityOf(each.id) === identityOf(id))?.name,
		hide: <T>(data: T) =>
			(data === undefined ? data : JSON.parse(JSON.stringify(data), inValue)) as T,
	};
}
