import { mapTexts } from '../json';
import { mayBeRecipient } from './messageBody';

export interface ListedRecipient {
	id: string;
	name?: string;
}

/** Names differ in more than case, spaces around them, and the ways in which Unicode writes a character. */
export const comparableName = (name: string) =>
	name.normalize('NFKC').trim().toUpperCase().toLowerCase().normalize('NFKC');

const digitsOf = (text: string) => text.replace(/\D/g, '');

/** Returns whether nobody can take a name for a number or an ID. */
export const isName = (name: string) =>
	/\p{L}/u.test(name) && !name.includes('@') && digitsOf(name).length < 5;

const HIDDEN = '***';
/** Matches the digits of a number in any spelling, also in an ID: +49 (151) 234-56789, 0151/2345678, 4915123456789@c.us */
const NUMBER = /\+?\(?\d(?:[\s().\-/\u2010-\u2015]{0,3}\d){6,}(?:@[a-z.]+)?/g;
/** The last digits of a recipient are the same in all spellings, also without a country code. */
const LAST_DIGITS = 7;

/** Returns the names on a list of recipients, so that a model needs no numbers; undefined if it has none. */
export function recipientNames(listed: ListedRecipient[]) {
	const named = new Map<string, ListedRecipient>();
	for (const each of listed) if (each.name) named.set(comparableName(each.name), each);
	if (named.size === 0) return undefined;
	const known = listed
		.map(({ id, name = HIDDEN }) => ({ digits: digitsOf(id).slice(-LAST_DIGITS), name }))
		.filter(({ digits }) => digits.length === LAST_DIGITS);
	const shownIn = (text: string, field: string) => {
		const shown = text.replace(NUMBER, (found) => {
			const digits = digitsOf(found);
			const [first, ...others] = known.filter((each) => digits.includes(each.digits));
			return others.length > 0 ? HIDDEN : (first?.name ?? found);
		});
		return mayBeRecipient(field) && digitsOf(shown).length >= 5 ? HIDDEN : shown;
	};
	return {
		all: [...named.values()].map(({ name }) => name!),
		find: (entered: unknown) =>
			typeof entered === 'string' ? named.get(comparableName(entered)) : undefined,
		/** Returns JSON data with names in place of recipients, and with marks in place of those that have no name. */
		hide: <T>(data: T) => mapTexts(data, shownIn),
	};
}
