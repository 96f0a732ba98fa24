import { InvalidInput } from '../invalidInput';
import { shownText } from './shownText';

/** Matches what programs leave in a text in place of a value, as a word of its own. An expression of an example contains a copy. */
export const PLACEHOLDER =
	/(?<![\p{L}\p{N}_])(?:undefined|NaN|Invalid (?:Date(?:Time)?|Duration|Interval)|%s|\{[\p{L}_][\p{L}\p{N}_.-]*\})(?![\p{L}\p{N}_])|\[object [A-Z]\w*\]|[{$]\{/u;

/** Matches the source of a function, which n8n puts into a text if the parentheses of its call are missing. */
const FUNCTION =
	/^(?:async )?(?:(?:function ?)?[\w$]+\([^)]*\) ?\{|(?:[\w$]+|\([^)]*\)) ?=>|class [\w$]+ ?\{)/;

/** Returns whether an expression gave nothing that a person could read. */
export function isBlank(value: unknown): boolean {
	if (typeof value !== 'string') return value === undefined || value === null || value !== value;
	const text = shownText(value).trim();
	return ['', 'null', PLACEHOLDER.exec(text)?.[0]].includes(text) || FUNCTION.test(text);
}

/** The error names the code of the expression, because a value can be about a person. */
export const missingValue = (label: string, code: string) =>
	new InvalidInput(
		`'${label}' has no value for \`${code.replace(/\s+/g, ' ').slice(0, 100)}\``,
		"Check the input of the item. If the value is optional, write its default into the expression, e.g. {{ $json.title ?? '' }}.",
	);

export function checkPlaceholders(value: unknown, label: string): void {
	const [found] = (typeof value === 'string' && PLACEHOLDER.exec(value)) || [];
	if (found === undefined) return;
	throw new InvalidInput(
		`'${label}' contains '${found.slice(0, 100)}' in place of a value`,
		"Check the node that wrote it. If it is an expression of this field, switch the field from Fixed to Expression. To send it as it is, set the option 'Missing Values' to Send Anyway.",
	);
}
