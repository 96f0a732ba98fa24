import { significantDigits, isObject } from '../../../gateway/json';
import type { Language, Texts } from './texts';

type FieldType = 'checkbox' | 'date' | 'dropdown' | 'email' | 'number' | 'text' | 'textarea';

export interface FormField {
	name: string;
	label: string;
	type: FieldType;
	isRequired: boolean;
	placeholder: string;
	/** Is empty unless the field is a dropdown or checkboxes. */
	choices: string[];
}

interface Shown {
	title: string;
	text: string;
	/** Says whether the page shows `*bold*` in bold, as the chat does. A review does not, because formatting could hide something. */
	hasMarks?: boolean;
	/** Applies to the node's own texts; `automatic` follows the browser. A question from before this option has none, which means English. */
	language?: Language | 'automatic';
}

export interface Approval extends Shown {
	kind: 'approval';
	approve: string;
	decline?: string;
}

export interface Form extends Shown {
	kind: 'form';
	fields: FormField[];
	submit: string;
}

/** A message that is sent only if the user approves it. */
export interface Draft {
	recipient: string;
	text: string;
}

export interface DraftList extends Shown {
	kind: 'drafts';
	drafts: Draft[];
	mayEdit: boolean;
}

/** Describes what the page asks. It is plain data, because it is stored as JSON while the execution waits. */
export type Question = Approval | Form | DraftList;

/** Returns the name of a field in the request body. It is not the label, because a label may contain any characters. */
export const inputName = (index: number) => `field-${index}`;

/** Returns the value of a choice in the request body. It is not the text, because browsers change some characters. */
export const choiceValue = (index: number) => `choice-${index}`;

export type AnswerValue = string | number | boolean | string[] | null;

export type Entered = string[][];

export type Advice = keyof Texts & `${'choose' | 'enter'}${string}`;

export type Values = Record<string, AnswerValue>;

export type Answer =
	/** A list of drafts has values for each of them. */
	{ data: Values | Values[] } | { entered: Entered; errors: Array<Advice | undefined> } | 'tooLong';

/** Limits all fields together. The page repeats a rejected answer, so this also limits the length of the page. */
export const MAX_ANSWER_LENGTH = 100_000;

/** Reads and checks the body of the page's request, because the browser's own checks can be bypassed. */
export function readAnswer(question: Approval | Form, body: unknown): Answer {
	const names =
		question.kind === 'form' ? question.fields.map((_, index) => inputName(index)) : ['approved'];
	const entered = readInputs(names, body, MAX_ANSWER_LENGTH);
	if (entered === 'tooLong') return entered;
	if (question.kind === 'form') return formAnswer(question, entered);
	const approved = [...new Set(entered[0])].join();
	if (approved === 'true') return { data: { approved: true } };
	if (approved === 'false' && question.decline !== undefined) return { data: { approved: false } };
	return { entered: [], errors: [] };
}

/** Returns the values of each input. */
export function readInputs(names: string[], body: unknown, max: number): Entered | 'tooLong' {
	// n8n puts the fields of a multipart body into `data`.
	const fields = isObject(body) && isObject(body.data) ? body.data : body;
	const received = names.map((name) => texts(isObject(fields) ? fields[name] : undefined));
	const values = received.flat();
	const length = values.reduce((sum, text) => sum + text.length, 0);
	// The number of values counts, too, because millions of empty values have no characters.
	if (Math.max(length, values.length) > max) return 'tooLong';
	return received.map((values) => values.map(withoutCarriageReturns));
}

const texts = (value: unknown): string[] =>
	[value].flat().filter((text) => typeof text === 'string');

/** Browsers send the line breaks of a text area as CR LF. */
const withoutCarriageReturns = (text: string) => text.replace(/\r\n?/g, '\n');

function formAnswer({ fields }: Form, entered: Entered): Answer {
	const results = fields.map((field, index) => answerValue(field, entered[index]!));
	const errors = results.map(({ error }) => error);
	if (errors.some((error) => error !== undefined)) return { entered, errors };
	const values = results.map(({ value = null }) => value);
	return { data: Object.fromEntries(fields.map(({ name }, index) => [name, values[index]!])) };
}

function answerValue(
	{ type, isRequired, choices }: FormField,
	entered: string[],
): { value?: AnswerValue; error?: Advice } {
	// A repeated value counts once.
	const chosen = [...new Set(entered.filter((text) => text.trim() !== ''))];
	if (chosen.length === 0) {
		if (isRequired) return { error: ADVICE[type] };
		return { value: type === 'checkbox' ? [] : null };
	}
	if (type !== 'checkbox' && chosen.length > 1) return { error: ADVICE[type] };
	if (type === 'checkbox' || type === 'dropdown') {
		const listed = choices.filter((_, index) => chosen.includes(choiceValue(index)));
		// A single unknown value makes the answer invalid.
		if (listed.length < chosen.length) return { error: 'chooseListed' };
		return { value: type === 'checkbox' ? listed : listed[0]! };
	}
	const [text = ''] = chosen;
	if (FORMAT[type]?.(text.trim()) === false) return { error: ADVICE[type] };
	if (type === 'number') return { value: exactNumber(text.trim()) };
	return { value: type === 'date' || type === 'email' ? text.trim() : text };
}

/** Returns the text itself if a number would lose digits, such as the leading zero of a phone number. */
function exactNumber(text: string): number | string {
	const number = Number(text);
	if (/^[-+]?0\d/.test(text)) return text;
	return significantDigits(String(number)) === significantDigits(text) ? number : text;
}

const ADVICE: Record<FieldType, Advice> = {
	checkbox: 'chooseSome',
	date: 'enterDate',
	dropdown: 'chooseOne',
	email: 'enterEmail',
	number: 'enterNumber',
	text: 'enterText',
	textarea: 'enterText',
};

/** Returns whether a text is an existing day in the form 2026-12-31. */
export const isDate = (text = '') =>
	/^\d{4}-\d\d-\d\d$/.test(text) && !!new Date(`${text}T00:00Z`).toJSON()?.startsWith(text);

const FORMAT: Partial<Record<FieldType, (text: string) => boolean>> = {
	date: isDate,
	email: (text) => /^[^\s@]+@[^\s@]+$/.test(text),
	number: (text) =>
		/^[-+]?(\d+(\.\d*)?|\.\d+)(e[-+]?\d+)?$/i.test(text) && Number.isFinite(Number(text)),
};
