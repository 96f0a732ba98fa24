import { isSafeObjectProperty } from 'n8n-workflow';

type Key = string | number;
type ExpressionValue = string | number | boolean;

/** Computes a field from the JSON of an item. Returns undefined if n8n has to. */
export type ItemExpression = (json: unknown) => ExpressionValue | undefined;

/**
 * Reads expressions that consist of paths such as `{{ $json.name }}` and text around them. n8n evaluates each
 * expression in an isolate, which costs more than everything else that a message needs. Returns undefined for all other
 * values. The result must be the same as n8n's, in type and text; where that is not certain, n8n has to evaluate.
 */
export function itemExpression(parameter: unknown): ItemExpression | undefined {
	if (typeof parameter !== 'string' || !parameter.startsWith('=')) return undefined;
	// A backslash can escape braces. n8n rejects the name of a constructor, even in text.
	if (/\\|constructor/.test(parameter)) return undefined;
	const [text = '', ...rest] = parameter.slice(1).split('{{');
	const paths: Array<{ keys: Key[]; textAfter: string }> = [];
	for (const part of rest) {
		const end = part.indexOf('}}');
		const keys = end < 0 ? undefined : keysOf(part.slice(0, end));
		if (!keys) return undefined;
		paths.push({ keys, textAfter: part.slice(end + 2) });
	}
	// n8n's older engine caches in a plain object, so it evaluates `=toString` to something else.
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
const PATH_STEP =
	/\.([A-Za-z_]\w*)|\[(0|[1-9]\d{0,8})\]|\["([^"\n\r\u2028\u2029]*)"\]|\['([^'\n\r\u2028\u2029]*)'\]/gy;

/** `$json.customer["first name"]` → ['customer', 'first name'] */
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

/** n8n rejects some of these names, and finds others on the prototype before it looks into the item. */
const isBuiltIn = (key: Key): boolean =>
	key in Object.prototype || !isSafeObjectProperty(String(key));

function valueAt(json: unknown, keys: Key[]): ExpressionValue | undefined {
	let value = json;
	for (const key of keys) value = ownValue(value, key);
	const isPrimitive =
		typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
	return isPrimitive ? (value as ExpressionValue) : undefined;
}

/** Without getters, and only of objects as they are in JSON. */
function ownValue(parent: unknown, key: Key): unknown {
	if (typeof parent !== 'object' || parent === null) return undefined;
	const isReadable = Array.isArray(parent) ? typeof key === 'number' : isPlain(parent);
	return isReadable ? Object.getOwnPropertyDescriptor(parent, key)?.value : undefined;
}

function isPlain(value: object): boolean {
	const prototype: unknown = Object.getPrototypeOf(value);
	return prototype === Object.prototype || prototype === null;
}
