/** Returns a name for comparisons, because gateways differ in case, underscores and hyphens. */
export const plainName = (name: string) => name.toLowerCase().replace(/[_-]/g, '');

/** Longer names and words are in no table. Comparing them would take seconds, and overflow the stack of an expression. */
export const MAX_WORD = 100;
const MAX_MEMBERS = 100;

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
