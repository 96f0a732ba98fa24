import { InvalidInput } from '../inputValues';
import { firstValues, plainName } from '../json';
import { factsBesidesRequest, NO_NAME, type NamedValue } from './find';
import { scalarOf } from './dialect';

/** What a line of the credential's 'Meaning of Responses' can say. `done` is the success of a request that is not a message. */
const MEANINGS = ['sent', 'deferred', 'duplicate', 'done', 'failed', 'online'] as const;
export type DeclaredMeaning = (typeof MEANINGS)[number];

interface Line {
	meaning: DeclaredMeaning;
	name: string;
	/** The parts of the value between its asterisks. */
	parts: string[];
}

export interface Declared {
	lines: Line[];
	/** Why the lines cannot be read. No response counts as a success then. */
	error?: InvalidInput;
}

export const NOTHING_DECLARED: Declared = { lines: [] };
export const MEANING_OF_RESPONSES = 'Meaning of Responses';
/** The name of the response itself, in a line about a response that is text. */
const WHOLE = 'response';
/** Names and values are compared up to this length. */
const MAX_NAME = 100;
const MAX_VALUE = 500;

const LINE = /^(?<meaning>[a-z]+)\s*:\s*(?<name>[^=\s]+(?:\s+[^=\s]+)*)\s*=\s*(?<value>\S.*)$/i;

/** Reads the lines of the credential. A line that cannot be read is an error of all of them, because it may be the one that denies. */
export function readDeclared(entered: unknown): Declared {
	if ((entered ?? '') === '') return NOTHING_DECLARED;
	if (typeof entered !== 'string') return unreadable('it is not text');
	const lines: Line[] = [];
	for (const [index, text] of entered.split('\n').entries()) {
		if (text.trim() === '') continue;
		const { meaning = '', name = '', value = '' } = LINE.exec(text.trim())?.groups ?? {};
		const known = MEANINGS.find((each) => each === meaning.toLowerCase());
		if (!known) return unreadable(`line ${index + 1}: ${text.trim().slice(0, 100)}`);
		lines.push({ meaning: known, name: plainName(name), parts: comparable(value).split('*') });
	}
	return { lines };
}

const unreadable = (what: string): Declared => ({
	lines: [],
	error: new InvalidInput(
		`'${MEANING_OF_RESPONSES}' of the credential cannot be read (${what})`,
		`Write one line per rule, such as sent: message = Accepted*. The first word is one of ${MEANINGS.join(', ')}; then come a field of the response, = and its value, in which * stands for any text.`,
	),
});

const comparable = (text: string) => text.trim().replace(/\s+/g, ' ').toLowerCase();

const nameInLine = ({ spelled }: NamedValue) => spelled.slice(0, MAX_NAME) || WHOLE;

/** Matches JSON without any text, number or boolean. */
const EMPTY_JSON = /^([[\]{},]|null|"\w*":)*$/;

/** The value of a field in a line. Of the response itself, that is its text, also if it is empty JSON. */
export function shownValue({ name, within, value }: NamedValue): string {
	if (name !== NO_NAME || within !== NO_NAME || typeof value !== 'object') return scalarOf(value);
	const json = JSON.stringify(firstValues(value, MAX_SHOWN));
	return EMPTY_JSON.test(json) ? json : '';
}

/** Returns the first line that fits, with the field that it fits to. */
export function declaredMeaning<Meaning extends DeclaredMeaning>(
	data: unknown,
	{ lines }: Declared = NOTHING_DECLARED,
	wanted: readonly Meaning[],
	requestBody?: Buffer,
): { meaning: Meaning; fact: NamedValue } | undefined {
	if (lines.length === 0) return undefined;
	const facts = factsBesidesRequest(data, requestBody);
	const textOf = (fact: NamedValue) => comparable(shownValue(fact).slice(0, MAX_VALUE));
	for (const { meaning: declared, name, parts } of lines) {
		const meaning = wanted.find((each) => each === declared);
		const fact = facts.find(
			(each) => plainName(nameInLine(each)) === name && fits(textOf(each), parts),
		);
		if (meaning && fact) return { meaning, fact };
	}
	return undefined;
}

/** Returns the value of a field that a line about `online` names, because the owner says that it holds the status. */
export function declaredStatus(data: unknown, { lines }: Declared = NOTHING_DECLARED) {
	const names = lines.filter(({ meaning }) => meaning === 'online').map(({ name }) => name);
	const facts = names.length > 0 ? factsBesidesRequest(data) : [];
	const fact = facts.find((each) => names.includes(plainName(nameInLine(each))));
	return fact && shownValue(fact).slice(0, MAX_NAME);
}

/** Whether a value has these parts in this order, the first at its start and the last at its end. Takes linear time. */
function fits(text: string, parts: string[]): boolean {
	let end = 0;
	for (const [index, part] of parts.entries()) {
		const isLast = index > 0 && index === parts.length - 1;
		const at = isLast ? text.length - part.length : index === 0 ? 0 : text.indexOf(part, end);
		if (at < end || !text.startsWith(part, at)) return false;
		end = at + part.length;
	}
	return text !== '' && end === text.length;
}

/** A longer value is cut, and ends in an asterisk. */
const MAX_SHOWN = 60;

/** Returns the line that gives a field this meaning; undefined without a value. In a sentence, numbers and times differ each time. */
export function lineFor(meaning: DeclaredMeaning, fact: NamedValue): string | undefined {
	const value = shownValue(fact)
		.slice(0, MAX_VALUE)
		.replace(/\s+/g, ' ')
		.replace(/\p{C}+/gu, '*');
	if (value === '') return undefined;
	const parts = value.split(' ');
	const general = parts.map((part) => (parts.length > 1 && /\d/.test(part) ? '*' : part)).join(' ');
	const shown = [...general].slice(0, MAX_SHOWN).join('');
	return `${meaning}: ${nameInLine(fact)} = ${shown}${shown === general ? '' : '*'}`;
}

const MAX_QUOTED = 200;

/** Returns a field and its value, to say which one decided; undefined for a field without a value. */
export function quoted(fact?: NamedValue) {
	const value = fact && (shownValue(fact) || JSON.stringify(firstValues(fact.value, MAX_QUOTED)));
	return value ? { field: nameInLine(fact), value: value.slice(0, MAX_QUOTED) } : undefined;
}
