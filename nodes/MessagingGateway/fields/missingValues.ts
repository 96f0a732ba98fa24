import { randomUUID } from 'crypto';

import { printableText } from '../../../gateway/decoding';
import { InvalidInput } from '../../../gateway/inputValues';
import { choice } from './field';
import { choiceOf, type FieldReader } from './read';

export const missingValues = choice('missingValues', 'Missing Values', 'reject', [
	['reject', 'Reject', 'The item fails, and the error names the expression'],
	['send', 'Send Anyway', 'The text is sent as it is'],
])(
	'What to do if an expression has no value, or if a text contains e.g. undefined or {name} in place of one. An expression with a default after ?? may be empty.',
	'messages.md#missing-values',
);

const CHECKED_LABELS: Partial<Record<string, string>> = {
	...{ chatId: 'Chat ID', text: 'Text', caption: 'Caption', message: 'Message' },
	...{ draftRecipient: 'Recipient', draft: 'Draft' },
	...{ 'options.fileName': 'File Name', 'options.idempotencyKey': 'Idempotency Key' },
};

/** Stands before and after each expression, so that every second piece between marks is a value. No value contains it. */
const MARK = randomUUID();

/** Matches an escaped brace, or an expression as n8n finds it: up to the next braces that are not escaped, or to the end. */
const EXPRESSION = /\\\{\{|\{\{((?:\\\}\}|(?!\}\})[^])*)(\}\})?/g;

/** Matches an expression that is one template literal. E.g. `Hi ${a}`. A brace in a text or a part would make its end unclear. */
const TEMPLATE = /^\s*`(?:\\[^]|[^`\\${}]|\$(?!\{)|\$\{[^`{}]*\})*`\s*$/;
const PART = /\\[^]|\$\{([^`{}]*)\}/g;

export type CheckedField = NonNullable<ReturnType<typeof checkedField>>;

/** Returns how to check a field. n8n evaluates the expressions of a text together. Marks show their values without a second evaluation. */
export function checkedField(path: string, stored: unknown) {
	const label = CHECKED_LABELS[path.replace(/\.value$/, '')];
	const codes: string[] = [];
	if (label === undefined) return undefined;
	if (typeof stored !== 'string' || !stored.startsWith('=')) return { label, codes };
	const mark = (found: string, code?: string, end?: string): string => {
		if (code === undefined) return found;
		if (TEMPLATE.test(code))
			return found.replace(PART, (part, inner?: string) => mark(part, inner, '}'));
		// n8n writes a comment in front of $fromAI.
		codes.push(code.replace(/^\s*\/\*[^]*?\*\//, '').trim());
		return found.length === stored.length - 1 ? found : `${MARK}${found}${end ? MARK : ''}`;
	};
	// A single expression has no marks, because its value can be of any type.
	const marked = stored.replace(EXPRESSION, mark);
	return { label, codes, marked: marked === stored ? undefined : marked };
}

/** Returns the value of a field without marks. Throws InvalidInput if an expression has no value, or if it contains a placeholder. */
export function checkedValue(value: unknown, field: CheckedField, option: FieldReader): unknown {
	const { label, codes, marked } = field;
	const pieces = marked === undefined ? ['', value] : String(value).split(MARK);
	// n8n returns null for a text if it cannot write a value as text.
	const text = typeof value === 'string' ? value.replaceAll(MARK, '') : value;
	if (choiceOf(missingValues, option) === 'send') return text;
	pieces.forEach((piece, at) => {
		const code = codes[(at - 1) / 2];
		const isEmpty = typeof piece === 'string' && piece.trim() === '';
		const isMissing = code !== undefined && isBlank(piece) && !(isEmpty && mayBeEmpty(code));
		if (isMissing) throw missingValue(label, code);
		checkPlaceholders(piece, label);
	});
	return text;
}

/** Matches what programs leave in a text in place of a value, as a word of its own. An expression of an example contains a copy. */
export const PLACEHOLDER =
	/(?<![\p{L}\p{N}_])(?:undefined|NaN|Invalid (?:Date(?:Time)?|Duration|Interval)|%s|\{[\p{L}_][\p{L}\p{N}_.-]*\})(?![\p{L}\p{N}_])|\[object [A-Z]\w*\]|[{$]\{/u;

/** Matches the source of a function, which n8n inserts if the parentheses of its call are missing: toISO(a) {…} */
const FUNCTION =
	/^(?:async )?(?:(?:function ?)?[\w$]+\([^)]*\) ?\{|(?:[\w$]+|\([^)]*\)) ?=>|class [\w$]+ ?\{)/;

/** Returns whether an expression gave nothing that a person could read. */
export function isBlank(value: unknown): boolean {
	if (typeof value !== 'string') return value === undefined || value === null || value !== value;
	const text = printableText(value).trim();
	return ['', 'null', PLACEHOLDER.exec(text)?.[0]].includes(text) || FUNCTION.test(text);
}

/** The error names the code of the expression, because a value can be about a person. */
export const missingValue = (label: string, code: string) =>
	new InvalidInput(
		`'${label}' has no value for \`${code.replace(/\s+/g, ' ').slice(0, 100)}\``,
		"Check the input of the item. If a part of a text is optional, write its default into the expression, e.g. {{ $json.title ?? '' }}.",
	);

export function checkPlaceholders(value: unknown, label: string): void {
	const [found] = (typeof value === 'string' && PLACEHOLDER.exec(value)) || [];
	if (found === undefined) return;
	throw new InvalidInput(
		`'${label}' contains '${found.slice(0, 100)}' in place of a value`,
		"Check the node that wrote it. If it is an expression of this field, switch the field from Fixed to Expression. To send it as it is, set 'Missing Values' under Advanced Options to Send Anyway.",
	);
}

/** Matches a text in quotes, or a comment: 'a', `b` and // c */
const LITERAL = /(['"`])(?:\\[^]|(?!\1)[^])*(?:\1|$)|\/\*[^]*?(?:\*\/|$)|\/\/.*/g;
/** Matches the innermost brackets, and what makes them a call: (a), $if(b), f(c), [d] and { e } */
const BRACKETS =
	/(\$if(?:Empty)?|(?<![\w$.])String|[\w$)\]])? ?\(([^()[\]{}]*)\)|\[[^()[\]{}]*\]|\{[^()[\]{}]*\}/g;

/** Returns whether an expression contains an empty text as a result. Arguments are none, except those of $if, $ifEmpty and String. */
function mayBeEmpty(code: string): boolean {
	const rest = code
		.replace(LITERAL, (text) => (/^(['"`])\s*\1$/.test(text) ? "''" : ' '))
		.replace(BRACKETS, (_, call?: string, inner = '') =>
			call?.length === 1 ? call : ` ${inner} `,
		);
	return rest === code ? /''(?<!=\s*'')(?!\s*[!=]=)/.test(rest) : mayBeEmpty(rest);
}
