import { isObject, type JsonObject } from '../json';
import { type GatewayResponse, parsed } from '../wire/response';
import table from './dialect.json';

/** Returns a name for comparisons, because gateways differ in case, underscores and hyphens. */
export const plainName = (name: string) => name.toLowerCase().replace(/[_-]/g, '');
export const words = (text: string) => plainName(text).split(/\s+/);

/** Makes find() return the values of all names. */
export const ANY: string[] = [];
/** The name of a value that has none: the content of an envelope, or the whole response. */
export const NO_NAME = '';

/** The names that responses use, by what they name. The API document has some of each, and the others are common. */
export const NAMES = Object.fromEntries(
	Object.entries(table.names).map(([kind, names]) => [kind, words(names)]),
) as Record<keyof typeof table.names, string[]>;

export const RATE_LIMIT = 'rate_limit_exceeded';

/** Whether an error code is in the API document. Expects it in lower case. */
export const isDocumentedCode = (code: string) => table.documentedCodes.includes(code);

/** Whether a gateway says with this code that it is closed, e.g. for maintenance, so that it has not begun to process the request. */
export const isClosedCode = (code: string) => CLOSED_CODES.includes(plainName(code));
const CLOSED_CODES = words(table.closedCodes);

export interface NamedValue {
	/** The name as plainName() returns it. */
	name: string;
	value: unknown;
	/** The object that contains the value. Its own name is `within`. */
	holder: JsonObject;
	within: string;
}

export interface Scope {
	/** Additional names of envelopes. */
	within?: string[];
	/** More names of objects and lists to open. Unlike the content of an envelope, the entries of such a list keep its name. */
	through?: (name: string) => boolean;
	/** More names of lists to open. A single object with such a name stays closed. */
	lists?: string[];
	/** Opens every list. By default, only a list of one is opened, like an envelope, and a longer one is a value. */
	everyEntry?: boolean;
	/** A value to ignore. */
	except?: unknown;
}

/** The name of an entry in one of `lists`. */
const LIST_ENTRY = 'entry';
/** Further values are not read, because millions of them would block n8n. */
const MAX_NAMED_VALUES = 10_000;
const MAX_PACKED = 100_000;
/** Longer names and words are in no table. Comparing them would take seconds, and overflow the stack of an expression. */
const MAX_WORD = 100;
const MAX_MEMBERS = 100;

/** Returns JSON text as the value that it contains, because gateways put the JSON of another service into a text. */
const unpacked = (value: unknown) =>
	typeof value === 'string' && value.length < MAX_PACKED && /^\s*[{[]/.test(value)
		? parsed(value)
		: value;

/** Finds the values with these names in any envelope of a response. The outermost come first. */
export function find(
	data: unknown,
	names: string[],
	{ within = [], through, lists = [], everyEntry = false, except }: Scope = {},
): NamedValue[] {
	const facts: NamedValue[] = [];
	const add = (name: string, value: unknown, holder: JsonObject, inside: string) => {
		if (value !== except) facts.push({ name, value, holder, within: inside });
	};
	const open = ({ name, value, holder, within: inside }: NamedValue) => {
		if (name !== NO_NAME && (NAMES.envelopes.includes(name) || within.includes(name))) {
			return add(NO_NAME, unpacked(value), holder, name);
		}
		if (typeof value !== 'object' || value === null) return;
		const isList = Array.isArray(value) && lists.includes(name);
		if (name !== NO_NAME && !isList && !through?.(name)) return;
		if (Array.isArray(value)) {
			const entries = value.length > 1 && !everyEntry ? [] : value.slice(0, MAX_NAMED_VALUES);
			for (const entry of entries) add(isList ? LIST_ENTRY : name, entry, holder, inside);
			return;
		}
		if (!isObject(value)) return;
		const keys = Object.keys(value).slice(0, MAX_NAMED_VALUES);
		for (const key of keys)
			add(plainName(key.slice(0, MAX_WORD)), value[key], value, name || inside);
	};
	add(NO_NAME, unpacked(data), {}, NO_NAME);
	for (const fact of facts) if (facts.length <= MAX_NAMED_VALUES) open(fact);
	return names === ANY ? facts : facts.filter(({ name }) => names.includes(name));
}

/** Objects about others than the request: a person, a chat, the request itself, a counter, a webhook. */
const ABOUT_OTHERS = new Set(NAMES.aboutOthers);

/** Finds everything that a response says about itself. The lists have the result for each recipient. */
export const ABOUT_ITSELF: Scope = {
	through: (name) => !ABOUT_OTHERS.has(name) && !/^(quoted|webhook|callback)/.test(name),
	lists: NAMES.resultsByRecipient,
	everyEntry: true,
};

export const trimmedText = (value: unknown) => (typeof value === 'string' ? value.trim() : '');

/** Returns text, a number or a boolean as text, and an empty text for any other value. */
export const scalarOf = (value: unknown) =>
	typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
		? String(value).trim()
		: '';

/** Returns scalarOf() for comparisons: in lower case, without spaces, hyphens and underscores. */
export function wordOf(value: unknown): string {
	const text = scalarOf(value);
	return text.length > MAX_WORD ? text : plainName(text).replace(/\s/g, '');
}

export const isKey = (value: unknown): value is string | number =>
	(typeof value === 'string' && value !== '') || Number.isSafeInteger(value);

/** Whether a value is neither empty nor a word for nothing, such as `none` or `0`. Many or deep values are something. */
export function isSomething(value: unknown, depth = 5): boolean {
	if (typeof value !== 'object' || value === null) return !IS_NOTHING.test(wordOf(value));
	const members = Object.values(value);
	const isSmall = depth > 0 && members.length < MAX_MEMBERS;
	return isSmall ? members.some((member) => isSomething(member, depth - 1)) : members.length > 0;
}
const IS_NOTHING = /^(|false|no?|0+|none|null|\[\]|\{\})$/;

/** Returns the `error` code and the `message` of a response body, wherever the gateway put them. */
export function gatewayError(data: unknown): { code?: string; message?: string } {
	const errors = find(data, NAMES.errors).slice(0, MAX_MEMBERS);
	const places = [...errors.map(({ value }) => value), data].map((place) =>
		find(place, [...NAMES.codes, ...NAMES.messages], { everyEntry: true }),
	);
	const textUnder = (names: string[]) =>
		places
			.flatMap((facts) => names.flatMap((name) => facts.filter((fact) => fact.name === name)))
			.flatMap(({ value }) => (Array.isArray(value) ? value.slice(0, MAX_MEMBERS) : value))
			.map(trimmedText)
			.find((text) => text !== '');
	return { code: textUnder(NAMES.codes), message: textUnder(NAMES.messages) };
}

/** Returns the error code in lower case, for comparisons; empty if there is none. */
export const errorCode = ({ data }: Pick<GatewayResponse, 'data'>) =>
	gatewayError(data).code?.toLowerCase() ?? '';
