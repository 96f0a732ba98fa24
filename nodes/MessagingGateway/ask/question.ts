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

/** A message that is sent only if the user approves it. */
export interface Draft {
	recipient: string;
	text: string;
}

export const TEXT_AREA = {
	...{ name: '', type: 'textarea' as const, isRequired: false, placeholder: '' },
	choices: [],
};

/** Describes what the page asks. It is plain data, because it is stored as JSON while the execution waits. */
export interface Question {
	title: string;
	text: string;
	/** Applies to the node's own texts; `automatic` follows the browser. */
	language: Language | 'automatic';
	/** The labels, by the names of their texts. The author may have written them. */
	buttons: Partial<Texts>;
	/** What the user fills in. Without fields and drafts, the buttons approve or decline. */
	fields: FormField[];
	/** The messages that the user approves one by one. */
	drafts?: Draft[];
	mayEdit?: boolean;
}

/** Returns the names of inputs in the request body. They contain no label, because a label may contain any characters. */
export const inputName = (index: number) => `field-${index}`;
export const tickName = (index: number) => `tick-${index}`;

const ANSWERS: Partial<Record<keyof Texts, string>> = {
	...{ decline: 'false', declineAll: 'false', tickAll: 'all' },
};
/** Returns the buttons of a page, with their values in the request body. */
export const buttonsOf = (buttons: Partial<Texts>) =>
	(Object.entries(buttons) as Array<[keyof Texts, string]>).map(([key, label]) => ({
		...{ key, label, answer: ANSWERS[key] ?? 'true' },
	}));

/** Returns the value of a choice in the request body. It is not the text, because browsers change some characters. */
export const choiceValue = (index: number) => `choice-${index}`;

type AnswerValue = string | number | boolean | string[] | null;

export type Advice = keyof Texts & `${'choose' | 'enter'}${string}`;

export type Values = Record<string, AnswerValue>;

/** An answer that decides nothing: what was entered in each field or draft, and what is wrong with it or, last, with all of them. */
export interface Rejected {
	entered: string[][];
	errors: Array<Advice | undefined>;
}

/** An answer has values once, or for each draft. */
export type Answer = { data: Values[] } | Rejected | 'tooLong';

/** Limits all fields together. The page repeats a rejected answer, so this also limits the length of the page. */
export const MAX_ANSWER_LENGTH = 100_000;
/** Limits a text that the user edited. Chats take no longer one. */
const MAX_EDITED_LENGTH = 4_096;

type Inputs = (name: string) => string[];

/** Reads and checks the body of the page's request, because the browser's own checks can be bypassed. */
export function readAnswer(question: Question, body: unknown): Answer {
	const { fields, drafts, buttons } = question;
	// n8n puts the fields of a multipart body into `data`.
	const sent = isObject(body) && isObject(body.data) ? body.data : body;
	const inputs = new Map(Object.entries(isObject(sent) ? sent : {}).map(inputOf));
	const values = [...inputs.values()].flat();
	const length = values.reduce((sum, text) => sum + text.length, 0);
	const max = drafts?.reduce((sum, { text }) => sum + text.length + 2 * MAX_EDITED_LENGTH, 0);
	// The number of values counts, too, because millions of empty values have no characters.
	if (Math.max(length, values.length) > (max ?? MAX_ANSWER_LENGTH)) return 'tooLong';
	const read: Inputs = (name) => inputs.get(name) ?? [];
	if (fields.length > 0) return formAnswer(fields, read);
	const approved = [...new Set(read('approved'))].join();
	if (drafts) return draftsAnswer(drafts, question.mayEdit === true, approved, read);
	const isOffered = buttonsOf(buttons).some(({ answer }) => answer === approved);
	return isOffered ? { data: [{ approved: approved === 'true' }] } : { entered: [], errors: [] };
}

/** Returns the values of an input. Browsers send the line breaks of a text area as CR LF. */
function inputOf([name, value]: [string, unknown]): [string, string[]] {
	const texts = [value].flat().filter((text) => typeof text === 'string');
	return [name, texts.map((text) => text.replace(/\r\n?/g, '\n'))];
}

/** Returns the decisions about drafts. Only a ticked one is approved, as it was shown or edited. */
function draftsAnswer(drafts: Draft[], mayEdit: boolean, approved: string, read: Inputs): Answer {
	const entered = drafts.map(({ recipient, text: draft }, index) => {
		const [text = draft] = mayEdit ? read(inputName(index)) : [];
		const isTicked = approved === 'all' || read(tickName(index)).join() === 'true';
		return { isTicked, edited: text !== draft, recipient, draft, text };
	});
	const errors = entered.map(({ edited, text }): Advice | undefined => {
		if (edited && text.trim() === '') return 'enterText';
		return edited && text.length > MAX_EDITED_LENGTH ? 'enterShorter' : undefined;
	});
	if (!entered.some(({ isTicked }) => isTicked)) errors.push('chooseSome');
	const isDeclined = approved === 'false';
	if (!isDeclined && (approved !== 'true' || errors.some(Boolean)))
		return { entered: entered.map(({ text, isTicked }) => [text, String(isTicked)]), errors };
	const data = entered.map(({ isTicked, edited, recipient, draft, text }): Values =>
		isTicked && !isDeclined
			? { approved: true, edited, recipient, draft, text }
			: { approved: false, recipient, draft },
	);
	return { data };
}

function formAnswer(fields: FormField[], read: Inputs): Answer {
	const entered = fields.map((_, index) => read(inputName(index)));
	const results = fields.map((field, index) => answerValue(field, entered[index]!));
	const errors = results.map(({ error }) => error);
	if (errors.some((error) => error !== undefined)) return { entered, errors };
	const values = results.map(({ value = null }) => value);
	return { data: [Object.fromEntries(fields.map(({ name }, index) => [name, values[index]!]))] };
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
const isDate = (text = '') =>
	/^\d{4}-\d\d-\d\d$/.test(text) && !!new Date(`${text}T00:00Z`).toJSON()?.startsWith(text);

const FORMAT: Partial<Record<FieldType, (text: string) => boolean>> = {
	date: isDate,
	email: (text) => /^[^\s@]+@[^\s@]+$/.test(text),
	number: (text) =>
		/^[-+]?(\d+(\.\d*)?|\.\d+)(e[-+]?\d+)?$/i.test(text) && Number.isFinite(Number(text)),
};
