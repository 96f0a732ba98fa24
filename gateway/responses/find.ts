import { isObject, type JsonObject, plainName, storedObject } from '../json';
import { type GatewayResponse, parsed } from '../wire/response';
import { MAX_WORD, NAMES, scalarOf, trimmedText } from './dialect';

/** Makes find() return the values of all names. */
export const ANY: string[] = [];
/** The name of a value that has none: the content of an envelope, or the whole response. */
export const NO_NAME = '';

export interface NamedValue {
	/** The name as plainName() returns it. */
	name: string;
	/** The name as the gateway spells it. Of the content of an envelope, that of the envelope. */
	spelled: string;
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

/** Further values are not read, because millions of them would block n8n. */
const MAX_NAMED_VALUES = 10_000;
const MAX_PACKED = 100_000;

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
	const add = (fact: NamedValue) => {
		if (fact.value !== except) facts.push(fact);
	};
	const open = (fact: NamedValue) => {
		const { name, value, within: inside } = fact;
		if (name !== NO_NAME && (NAMES.envelopes.includes(name) || within.includes(name))) {
			return add({ ...fact, name: NO_NAME, value: unpacked(value), within: name });
		}
		if (typeof value !== 'object' || value === null) return;
		const isResults = Array.isArray(value) && lists.includes(name);
		if (name !== NO_NAME && !isResults && !through?.(name)) return;
		if (Array.isArray(value)) {
			const entries = value.length > 1 && !everyEntry ? [] : value.slice(0, MAX_NAMED_VALUES);
			for (const entry of entries)
				add({ ...fact, value: entry, ...(isResults && { name: 'entry' }) });
			return;
		}
		if (!isObject(value)) return;
		const keys = Object.keys(value).slice(0, MAX_NAMED_VALUES);
		for (const spelled of keys) {
			const plain = plainName(spelled.slice(0, MAX_WORD));
			add({ name: plain, spelled, value: value[spelled], holder: value, within: name || inside });
		}
	};
	add({ name: NO_NAME, spelled: '', value: unpacked(data), holder: {}, within: NO_NAME });
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

/** A larger request is parsed at once. */
const MAX_SEARCHED = 10_000;

/** Returns the fields of a response that do not repeat the request: the same name and value after parsing. */
export function factsBesidesRequest(data: unknown, requestBody?: Buffer): NamedValue[] {
	const facts = find(data, ANY, ABOUT_ITSELF);
	if (!requestBody) return facts;
	const entryOf = ({ name, value }: NamedValue) => `${name}=${scalarOf(value)}`;
	// Most requests need not be parsed for that.
	const mayRepeat = (text: string) =>
		!/^[\w.@-]*$/.test(text) || (text !== '' && requestBody.includes(text));
	const isSearched = requestBody.length < MAX_SEARCHED;
	if (isSearched && !facts.some(({ value }) => mayRepeat(scalarOf(value)))) return facts;
	const request = storedObject(requestBody.toString());
	const sent = new Set(find(request, ANY, { through: () => true, everyEntry: true }).map(entryOf));
	return facts.filter((fact) => scalarOf(fact.value) === '' || !sent.has(entryOf(fact)));
}

const MAX_ERRORS = 100;

/** Returns the `error` code and the `message` of a response body, wherever the gateway put them; empty if there is none. */
export function gatewayError(data: unknown): { code: string; message: string } {
	const errors = find(data, NAMES.errors).slice(0, MAX_ERRORS);
	const places = [...errors.map(({ value }) => value), data].map((place) =>
		find(place, [...NAMES.codes, ...NAMES.messages], { everyEntry: true }),
	);
	const textUnder = (names: string[]) =>
		places
			.flatMap((facts) => names.flatMap((name) => facts.filter((fact) => fact.name === name)))
			.flatMap(({ value }) => (Array.isArray(value) ? value.slice(0, MAX_ERRORS) : value))
			.map(trimmedText)
			.find((text) => text !== '') ?? '';
	return { code: textUnder(NAMES.codes), message: textUnder(NAMES.messages) };
}

/** Returns the error code in lower case, for comparisons. */
export const errorCode = ({ data }: Pick<GatewayResponse, 'data'>) =>
	gatewayError(data).code.toLowerCase();
