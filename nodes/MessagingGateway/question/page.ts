import { createHash } from 'crypto';

import { type Answer, type Entered, MAX_ANSWER_LENGTH, type Value } from './answer';
import { escaped, styled } from './html';
import {
	type Approval,
	choiceValue,
	type Form,
	type FormField,
	inputName,
	type Question,
} from './question';
import { STYLE } from './style';

const styleHash = createHash('sha256').update(STYLE).digest('base64');

/** Also in the page, because n8n replaces the header of the page that follows an answer. */
const CONTENT_POLICY = `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'self'; base-uri 'none'`;

/** The page runs no scripts, loads nothing, and is neither indexed nor cached nor shown in a frame. */
export const PAGE_HEADERS = {
	'Content-Type': 'text/html; charset=utf-8',
	'Content-Security-Policy': `${CONTENT_POLICY}; frame-ancestors 'none'`,
	'Referrer-Policy': 'no-referrer',
	'X-Robots-Tag': 'noindex, nofollow',
	'X-Content-Type-Options': 'nosniff',
	'Cache-Control': 'no-store',
};

type Rejected = Extract<Answer, { entered: Entered }>;

const NOTHING_ENTERED: Rejected = { entered: [], errors: [] };

/** The question. After a rejected answer, with what the user entered and what is wrong with it. */
export function questionPage(question: Question, rejected?: Rejected): string {
	const form =
		question.kind === 'form'
			? formParts(question, rejected ?? NOTHING_ENTERED)
			: approvalParts(question);
	const enctype = question.kind === 'form' ? ' enctype="multipart/form-data"' : '';
	const alert = rejected
		? '<p class="alert" role="alert">Your response was not sent yet. Please check it.</p>'
		: '';
	return page(
		question.title,
		`<p class="text" dir="auto">${question.isFormatted ? styled(question.text) : escaped(question.text)}</p>
${alert}<form method="post"${enctype}>
${form}
</form>`,
	);
}

const approvalParts = ({ approve, decline }: Approval): string =>
	`<div class="buttons">
${button(approve, 'true')}
${decline === undefined ? '' : button(decline, 'false', 'secondary')}
</div>`;

const button = (label: string, approved: string, style = 'primary') =>
	`<button class="${style}" name="approved" value="${approved}" dir="auto">${escaped(label)}</button>`;

function formParts({ fields, submit }: Form, { entered, errors }: Rejected): string {
	const firstError = errors.findIndex((error) => error !== undefined);
	return [
		...fields.map((field, index) =>
			fieldParts(field, index, entered, errors[index], index === firstError),
		),
		`<div class="buttons"><button class="primary" dir="auto">${escaped(submit)}</button></div>`,
	].join('\n');
}

function fieldParts(
	field: FormField,
	index: number,
	entered: Entered,
	error: string | undefined,
	isFirstError: boolean,
): string {
	const id = inputName(index);
	const values = entered[index] ?? [];
	const attributes = [
		`name="${id}"`,
		error && `aria-invalid="true" aria-describedby="${id}-error"`,
		isFirstError && 'autofocus',
	]
		.filter(Boolean)
		.join(' ');
	const label = `<span dir="auto">${escaped(field.label)}</span>${
		field.isRequired ? ' <span class="required">(required)</span>' : ''
	}`;
	const errorText = error ? `\n<p class="error" id="${id}-error">${escaped(error)}</p>` : '';
	if (field.type === 'checkbox') {
		const described = error ? ` aria-describedby="${id}-error"` : '';
		return `<fieldset${described}><legend>${label}</legend>
${field.choices.map((choice, at) => checkbox(id, choice, choiceValue(at), values)).join('\n')}${errorText}</fieldset>`;
	}
	return `<div class="field"><label for="${id}">${label}</label>
${control(field, `id="${id}" ${attributes}${field.isRequired ? ' required' : ''}`, values)}${errorText}</div>`;
}

const checkbox = (name: string, choice: string, value: string, values: string[]) =>
	`<label class="choice"><input type="checkbox" name="${name}" value="${value}"${
		values.includes(value) ? ' checked' : ''
	}> <span dir="auto">${escaped(choice)}</span></label>`;

function control(
	{ type, choices, placeholder }: FormField,
	attributes: string,
	[value = '']: string[],
): string {
	const hint = placeholder === '' ? '' : ` placeholder="${escaped(placeholder)}"`;
	if (type === 'dropdown') {
		const options = choices.map(
			(choice, at) =>
				`<option value="${choiceValue(at)}"${choiceValue(at) === value ? ' selected' : ''}>${escaped(choice)}</option>`,
		);
		return `<select ${attributes}><option value=""></option>${options.join('')}</select>`;
	}
	// Browsers drop a line break at the start of a text area.
	if (type === 'textarea') {
		return `<textarea ${attributes}${hint} maxlength="${MAX_ANSWER_LENGTH}" rows="5" dir="auto">\n${escaped(value)}</textarea>`;
	}
	const step = type === 'number' ? ' step="any"' : '';
	const direction = type === 'text' ? ' dir="auto"' : '';
	return `<input type="${type}" ${attributes}${hint}${step}${direction} value="${escaped(value)}">`;
}

function page(title: string, content: string): string {
	return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="${escaped(CONTENT_POLICY)}">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1 dir="auto">${escaped(title)}</h1>
${content}
</main>
</body>
</html>
`;
}

/** Repeats the answer. */
export function answeredPage(question: Question, data: Record<string, Value>): string {
	const answers =
		question.kind === 'form'
			? question.fields.map(({ name, label }) => [label, [data[name] ?? ''].flat().join(', ')])
			: [['Your response', (data.approved ? question.approve : question.decline) ?? '']];
	const shown = answers
		.filter(([, value]) => value !== '')
		.map(
			([label = '', value = '']) =>
				`<dt dir="auto">${escaped(label)}</dt><dd class="text" dir="auto">${escaped(value)}</dd>`,
		);
	return page(
		'Thank you',
		`<p class="text">Your response was received. You can close this page.</p>
<dl>${shown.join('')}</dl>`,
	);
}

export const CLOSED_PAGE = page(
	'Question closed',
	'<p class="text">This question was answered, or it has expired. There is nothing left to do.</p>',
);

export const EXPIRED_PAGE = page('Expired', '<p class="text">This link has expired.</p>');

export const INVALID_PAGE = page(
	'Invalid link',
	'<p class="text">Open the link from the message again.</p>',
);

export const TOO_LONG_PAGE = page(
	'Response too long',
	`<p class="text">Your response was not sent. Go back and shorten it to ${MAX_ANSWER_LENGTH / 1_000},000 characters.</p>`,
);

export const TOO_MANY_PAGE = page(
	'Too many attempts',
	'<p class="text">Your response was not sent. Wait a minute, then go back and check it.</p>',
);
