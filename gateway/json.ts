import { checkLength, isExact, MAX_JSON_LENGTH, InvalidInput } from './inputValues';

export type JsonObject = Record<string, unknown>;

/** Whether a value is an object of names and values, not an array, a date or bytes. */
export const isObject = (value: unknown): value is JsonObject =>
	Object.prototype.toString.call(value) === '[object Object]';

/** Returns a name for comparisons, because gateways differ in case, underscores and hyphens. */
export const plainName = (name: string) => name.toLowerCase().replace(/[_-]/g, '');

const CUT = '…';

export const without = <T extends object, Name extends string>(value: T, ...names: Name[]) =>
	Object.fromEntries(
		Object.entries(value).filter(([name]) => !names.includes(name as Name)),
	) as Omit<T, Name>;

/** Returns a copy with the first `max` values, counted at all depths, and with a mark where a list or object was cut. */
export function firstValues<T>(value: T, max: number): T {
	let left = max;
	const copies = (members: Iterable<[number | string, unknown]>) => {
		const kept: Array<[number | string, unknown]> = [];
		for (const [name, member] of members) {
			if (left === 0) return [...kept, [CUT, CUT] as const];
			left -= 1;
			kept.push([name, copy(member)]);
		}
		return kept;
	};
	const copy = (given: unknown): unknown => {
		if (Array.isArray(given)) return copies(given.entries()).map(([, member]) => member);
		return isObject(given) ? Object.fromEntries(copies(Object.entries(given))) : given;
	};
	return copy(value) as T;
}

/** Values below this depth are cut, to prevent a stack overflow. */
const MAX_DEPTH = 100;

type Change = (text: string, field: string) => string;

/** Returns JSON data with other texts, also of names and numbers. `field` is the name of the value that contains the text. */
export const mapTexts = <T>(data: T, change: Change, withNumbers = true) =>
	mapped(data, change, withNumbers, '', 0) as T;

function mapped(
	value: unknown,
	change: Change,
	withNumbers: boolean,
	field: string,
	depth: number,
): unknown {
	if (typeof value === 'string' || (withNumbers && typeof value === 'number')) {
		const text = change(String(value), field);
		return text === String(value) ? value : text;
	}
	if (!Array.isArray(value) && !isObject(value)) return value;
	if (depth > MAX_DEPTH) return CUT;
	const inside = (member: unknown, name: string) =>
		mapped(member, change, withNumbers, name, depth + 1);
	if (Array.isArray(value)) return value.map((member) => inside(member, field));
	const entries = Object.entries(value).map(([name, of]) => [change(name, ''), inside(of, name)]);
	return Object.fromEntries(entries);
}

/** Works like JSON.parse, but returns a whole number that JavaScript would round as text with the same digits. */
export function parseExactly(text: string): unknown {
	const value: unknown = JSON.parse(text);
	if (!/\d{16}/.test(text)) return value;
	let isInString = false;
	const exact = text.replace(/\\.|"|(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g, (token) => {
		if (token === '"') isInString = !isInString;
		const isNumber = token.length > 2;
		const isRounded = isNumber && !isInString && !Number.isSafeInteger(Number(token));
		return isRounded ? `"${token}"` : token;
	});
	return JSON.parse(exact);
}

export function storedObject(text: unknown): JsonObject | undefined {
	try {
		const value: unknown = JSON.parse(text as string);
		return isObject(value) ? value : undefined;
	} catch {
		return undefined;
	}
}

function parsedEntry(text: string, field: string, whatToDo: string): unknown {
	checkLength(text, `'${field}'`, MAX_JSON_LENGTH);
	let problem: string;
	try {
		return JSON.parse(text) as unknown;
	} catch (error) {
		problem = (error as Error).message;
	}
	throw new InvalidInput(`'${field}' is not valid JSON: ${problem}`, whatToDo);
}

export const enteredJson = (entered: unknown, field: string, whatToDo: string): string =>
	typeof entered === 'string' ? entered : (jsonText(entered, field, whatToDo, rejectInexact) ?? '');

/** A replacer that throws for numbers that JSON cannot hold. Without it, JSON.stringify would write null instead of NaN. */
function rejectInexact(_name: string, value: unknown): unknown {
	if (typeof value !== 'number' || isExact(value)) return value;
	throw new RangeError(`it contains ${String(value)}, which is not an exact number`);
}

/** Returns the object that was entered as text or with an expression. Throws InvalidInput if its JSON is no object: a time becomes text. */
export function jsonObject(entered: unknown, field: string, whatToDo: string): JsonObject {
	const isWritten = typeof entered === 'string' || isObject(entered);
	const value = isWritten && parsedEntry(enteredJson(entered, field, whatToDo), field, whatToDo);
	if (!isObject(value)) throw new InvalidInput(`'${field}' is not a JSON object`, whatToDo);
	return value;
}

export function jsonText(
	value: unknown,
	field: string,
	whatToDo: string,
	replacer?: typeof rejectInexact,
): string | undefined {
	let problem: string;
	try {
		return JSON.stringify(value, replacer);
	} catch (error) {
		problem = (error as Error).message;
	}
	throw new InvalidInput(`'${field}' cannot be written as JSON: ${problem}`, whatToDo);
}

/** In valid JSON: {"a":[1]} has { " " : [ ] }, and numbers only with the second one. */
const NAME_TOKENS = /\\.|"|[{}[\]:]/g;
const NAMES_AND_NUMBERS = /\\.|"|-?\d[\d.eE+-]*|[{}[\]:]/g;

/**
 * Throws InvalidInput for JSON that would not be sent as it was entered: a number that JavaScript would round, or a name that occurs
 * twice in an object. Expects valid JSON text, or an object, whose numbers may already have lost digits.
 */
export function checkExact(entered: unknown, field: string): void {
	checkNames(enteredJson(entered, field, ''), field, NAMES_AND_NUMBERS);
}

/** Throws InvalidInput if a name occurs twice in an object, because a gateway may use either value. Expects valid JSON. */
export function checkNames(text: string, field: string, tokens = NAME_TOKENS): void {
	const names: Array<Set<unknown>> = [];
	let startOfString: number | undefined;
	let string = '';
	for (const { 0: token, index } of text.matchAll(tokens)) {
		if (token === '"') {
			const start = startOfString;
			startOfString = start === undefined ? index : undefined;
			if (start !== undefined) string = text.slice(start, index + 1);
		} else if (startOfString !== undefined) continue;
		else if (/[{[]/.test(token)) names.push(new Set());
		else if (/[}\]]/.test(token)) names.pop();
		else if (token !== ':') checkNumber(token, field);
		else {
			const name = JSON.parse(string) as unknown;
			if (names.at(-1)?.has(name)) {
				throw new InvalidInput(
					`'${field}' contains '${String(name)}' twice`,
					'Enter each name once.',
				);
			}
			names.at(-1)?.add(name);
		}
	}
}

function checkNumber(token: string, field: string): void {
	const value = Number(token);
	if (isExact(value) && significantDigits(token) === significantDigits(String(value))) return;
	throw new InvalidInput(
		`'${field}' contains the number ${token.slice(0, 100)}, which cannot be sent exactly`,
		'Write it as text, in double quotes.',
	);
}

/** Returns the digits of a number without zeros at either end. They are the same for all spellings of a number. */
export const significantDigits = (number: string) =>
	number.replace(/e.*|[-+.]/gi, '').replace(/^0+|(?<!0)0+$/g, '');
