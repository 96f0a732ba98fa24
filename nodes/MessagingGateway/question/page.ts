import { escaped, page, styled } from './html';
import {
	type Answer,
	type Approval,
	choiceValue,
	type Entered,
	type Form,
	type FormField,
	inputName,
	MAX_ANSWER_LENGTH,
	type Question,
	type Value,
} from './question';

type Rejected = Extract<Answer, { entered: Entered }>;

/** The question. After a rejected answer, with what the user entered and what is wrong with it. */
export function questionPage(question: Question, rejected?: Rejected): string {
	const { title, text, isFormatted } = question;
	const form =
		question.kind === 'form'
			? `<form method="post" enctype="multipart/form-data">\n${formParts(question, rejected)}`
			: `<form method="post">\n${approvalParts(question)}`;
	const alert = rejected
		? '<p class="alert" role="alert">Your response was not sent yet. Please check it.</p>'
		: '';
	const shown = isFormatted ? styled(text) : escaped(text);
	return page(title, `<p class="text" dir="auto">${shown}</p>\n${alert}${form}\n</form>`);
}

const approvalParts = ({ approve, decline }: Approval): string =>
	`<div class="buttons">
${button(approve, 'true')}
${decline === undefined ? '' : button(decline, 'false', 'secondary')}
</div>`;

const button = (label: string, approved: string, style = 'primary') =>
	`<button class="${style}" name="approved" value="${approved}" dir="auto">${escaped(label)}</button>`;

function formParts({ fields, submit }: Form, rejected?: Rejected): string {
	const { entered = [], errors = [] } = rejected ?? {};
	const firstError = errors.findIndex((error) => error !== undefined);
	const parts = fields.map((field, index) => {
		const focus = index === firstError ? ' autofocus' : '';
		return fieldParts(field, inputName(index), entered[index] ?? [], errors[index], focus);
	});
	const button = `<button class="primary" dir="auto">${escaped(submit)}</button>`;
	return [...parts, `<div class="buttons">${button}</div>`].join('\n');
}

function fieldParts(
	field: FormField,
	id: string,
	values: string[],
	error: string | undefined,
	focus: string,
): string {
	const required = field.isRequired ? ' <span class="required">(required)</span>' : '';
	const label = `<span dir="auto">${escaped(field.label)}</span>${required}`;
	const described = error ? ` aria-describedby="${id}-error"` : '';
	const errorText = error ? `\n<p class="error" id="${id}-error">${escaped(error)}</p>` : '';
	if (field.type === 'checkbox') {
		const boxes = field.choices.map((choice, at) => checkbox(id, choice, choiceValue(at), values));
		return `<fieldset${described}><legend>${label}</legend>\n${boxes.join('\n')}${errorText}</fieldset>`;
	}
	const invalid = error ? ` aria-invalid="true"${described}` : '';
	const attributes = `id="${id}" name="${id}"${invalid}${focus}${field.isRequired ? ' required' : ''}`;
	return `<div class="field"><label for="${id}">${label}</label>\n${control(field, attributes, values)}${errorText}</div>`;
}

const checkbox = (name: string, choice: string, value: string, values: string[]) => {
	const checked = values.includes(value) ? ' checked' : '';
	return `<label class="choice"><input type="checkbox" name="${name}" value="${value}"${checked}> <span dir="auto">${escaped(choice)}</span></label>`;
};

function control(
	{ type, choices, placeholder }: FormField,
	attributes: string,
	[value = '']: string[],
): string {
	const hint = placeholder === '' ? '' : ` placeholder="${escaped(placeholder)}"`;
	if (type === 'dropdown') {
		const options = choices.map((choice, at) => {
			const selected = choiceValue(at) === value ? ' selected' : '';
			return `<option value="${choiceValue(at)}"${selected}>${escaped(choice)}</option>`;
		});
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

const notice = (title: string, text: string) => page(title, `<p class="text">${text}</p>`);

export const NOTICES = {
	closed: notice(
		'Question closed',
		'This question was answered, or it has expired. There is nothing left to do.',
	),
	expired: notice('Expired', 'This link has expired.'),
	invalid: notice('Invalid link', 'Open the link from the message again.'),
	tooLong: notice(
		'Response too long',
		`Your response was not sent. Go back and shorten it to ${MAX_ANSWER_LENGTH / 1_000},000 characters.`,
	),
	tooMany: notice(
		'Too many attempts',
		'Your response was not sent. Wait a minute, then go back and check it.',
	),
};
