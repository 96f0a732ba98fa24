import { isSafeObjectProperty } from 'n8n-workflow';

type Key = string | number;
type ExpressionValue = string | number | boolean;

/** Computes a field from the JSON of an item. Returns undefined if n8n must evaluate it. */
export type ItemExpression = (json: unknown) => ExpressionValue | undefined;

/**
 * Compiles an expression that consists of paths such as `{{ $json.name }}` and text around them. Returns undefined for
 * all other values. n8n evaluates each expression in an isolate, which costs more than everything else that a message
 * needs. The result must equal n8n's in type and text. If that is not certain, n8n must evaluate.
 */
export function itemExpression(parameter: unknown): ItemExpression | undefined {
	if (typeof parameter !== 'string' || !parameter.startsWith('=')) return undefined;
	// A backslash can escape braces, and n8n rejects the word constructor even in text.
	if (/\\|constructor/.test(parameter)) return undefined;
	const [text = '', ...rest] = parameter.slice(1).split('{{');
	const paths: Array<{ keys: Key[]; textAfter: string }> = [];
	for (const part of rest) {
		const end = part.indexOf('}}');
		const keys = end < 0 ? undefined : keysOf(part.slice(0, end));
		if (!keys) return undefined;
		paths.push({ keys, textAfter: part.slice(end + 2) });
	}
	// n8n's older engine caches in a plain object, which inherits such names, so it evaluates `=toString` to something else.
	if (text in Object.prototype) return undefined;
	const [first] = paths;
	if (first && paths.length === 1 && text === '' && first.textAfter === '') {
		return (json) => valueAt(json, first.keys);
	}
	return (json) => {
		let result = text;
		for (const { keys, textAfter } of paths) {
			const value = valueAt(json, keys);
			if (value === undefined) return undefined;
			result += String(value) + textAfter;
		}
		return result;
	};
}

const ITEM = '$json';
/** E.g. the steps of $json.a[0]["first name"]['b'] */
const PATH_STEP =
	/\.([A-Za-z_]\w*)|\[(0|[1-9]\d{0,8})\]|\["([^"\n\r\u2028\u2029]*)"\]|\['([^'\n\r\u2028\u2029]*)'\]/gy;

/** Returns the keys of a path, for example ['customer', 'first name'] for `$json.customer["first name"]`. */
function keysOf(code: string): Key[] | undefined {
	const path = code.trim();
	if (!path.startsWith(ITEM)) return undefined;
	const keys: Key[] = [];
	let length = ITEM.length;
	for (const [match, name, index, ...quoted] of path.slice(ITEM.length).matchAll(PATH_STEP)) {
		const key = name ?? quoted[0] ?? quoted[1] ?? Number(index);
		if (isBuiltIn(key)) return undefined;
		keys.push(key);
		length += match.length;
	}
	return length === path.length ? keys : undefined;
}

/** Returns whether n8n may read the key differently: it rejects some of these names, and finds others on the prototype first. */
const isBuiltIn = (key: Key): boolean =>
	key in Object.prototype || !isSafeObjectProperty(String(key));

function valueAt(json: unknown, keys: Key[]): ExpressionValue | undefined {
	let value = json;
	for (const key of keys) value = ownValue(value, key);
	const isPrimitive =
		typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
	return isPrimitive ? (value as ExpressionValue) : undefined;
}

/** Returns an own value, or undefined. Ignores getters and all objects that JSON cannot contain, which n8n may read differently. */
function ownValue(parent: unknown, key: Key): unknown {
	if (typeof parent !== 'object' || parent === null) return undefined;
	const isReadable = Array.isArray(parent) ? typeof key === 'number' : isPlain(parent);
	return isReadable ? Object.getOwnPropertyDescriptor(parent, key)?.value : undefined;
}

function isPlain(value: object): boolean {
	const prototype: unknown = Object.getPrototypeOf(value);
	return prototype === Object.prototype || prototype === null;
}
