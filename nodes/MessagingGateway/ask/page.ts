import { editable, textName, tickName, visible } from './drafts';
import { escaped, page, styled } from './html';
import {
	type Answer,
	type Approval,
	choiceValue,
	type DraftList,
	type Advice,
	type Entered,
	type Form,
	type FormField,
	inputName,
	MAX_ANSWER_LENGTH,
	type Question,
	type AnswerValue,
	type Values,
} from './question';
import { dateIn, type Language, numberIn, textsIn, translated, type Texts } from './texts';

type RejectedAnswer = Extract<Answer, { entered: Entered }>;

export function questionPage(
	question: Question,
	language: Language,
	rejected?: RejectedAnswer,
): string {
	const { title, text, hasMarks } = question;
	const texts = textsIn(language);
	const parts =
		question.kind === 'approval'
			? approvalParts(question, texts)
			: question.kind === 'form'
				? formParts(question, texts, rejected)
				: draftParts(question, texts, rejected);
	const multipart = question.kind === 'approval' ? '' : ' enctype="multipart/form-data"';
	const form = `<form method="post"${multipart}>\n${parts}`;
	const alert = rejected ? `<p class="alert" role="alert">${texts.notSent}</p>` : '';
	const shown = hasMarks ? styled(text) : escaped(text);
	const content = `<p class="text" dir="auto">${shown}</p>\n${alert}${form}\n</form>`;
	return page(language, translated('title', title, texts), content);
}

const approvalParts = ({ approve, decline }: Approval, texts: Texts): string =>
	`<div class="buttons">
${button(translated('approve', approve, texts), 'true')}
${decline === undefined ? '' : button(translated('decline', decline, texts), 'false', 'secondary')}
</div>`;

const button = (label: string, approved: string, style = 'primary') =>
	`<button class="${style}" name="approved" value="${approved}" dir="auto">${escaped(label)}</button>`;

function formParts({ fields, submit }: Form, texts: Texts, rejected?: RejectedAnswer): string {
	const { entered = [], errors = [] } = rejected ?? {};
	const firstError = errors.findIndex((error) => error !== undefined);
	const parts = fields.map((field, index) => {
		const focus = index === firstError ? ' autofocus' : '';
		return fieldParts(field, texts, inputName(index), entered[index] ?? [], errors[index], focus);
	});
	const button = `<button class="primary" dir="auto">${escaped(translated('submit', submit, texts))}</button>`;
	return [...parts, `<div class="buttons">${button}</div>`].join('\n');
}

function draftParts({ drafts, mayEdit }: DraftList, texts: Texts, rejected?: RejectedAnswer) {
	const { entered = [], errors = [] } = rejected ?? {};
	const firstError = errors.findIndex(Boolean);
	const items = drafts.map(({ recipient, text }, index) => {
		const [tick, edited = text] = entered[index] ?? [];
		const name = tickName(index);
		const number = `<span class="required">${index + 1}/${drafts.length}</span>`;
		const box = `<input type="checkbox" name="${name}" value="true" aria-describedby="${name}"${tick ? ' checked' : ''}>`;
		const value = edited === text ? editable(text) : edited;
		const focus = index === firstError ? ' autofocus' : '';
		const field = { ...EDITED, label: recipient };
		const edit = `<details${errors[index] ? ' open' : ''}><summary>${texts.edit}</summary>
${fieldParts(field, texts, textName(index), [value], errors[index], focus)}</details>`;
		return `<li><label class="choice">${box} <span>${number} <bdi>${visible(recipient)}</bdi></span></label>
<p class="text" id="${name}" dir="auto">${visible(text)}</p>
${mayEdit ? edit : ''}</li>`;
	});
	const ticks = entered.filter(([tick]) => tick).length;
	const focus = ticks === drafts.length && firstError < 0 ? ' autofocus' : '';
	const label = sendLabel(texts, '<span class="count"></span>', drafts.length);
	// The Enter key presses the first button of a form. Browsers ignore a hidden one, or send what decides nothing.
	return `<button hidden></button>
<ol class="drafts">
${items.join('\n')}
</ol>
${rejected && ticks === 0 ? `<p class="alert">${texts.chooseSome}</p>` : ''}
<p class="buttons"><button class="secondary" name="decision" value="all">${texts.tickAll}</button></p>
<div class="buttons">
<button class="primary" name="decision" value="send"${focus}>${label}</button>
<button class="secondary" name="decision" value="decline">${texts.declineAll}</button>
</div>`;
}

const EDITED: FormField = {
	...{ name: '', label: '' },
	type: 'textarea',
	isRequired: false,
	placeholder: '',
	choices: [],
};

const sendLabel = ({ sendCount }: Texts, count: string, all: number) =>
	sendCount.replace('{count}', count).replace('{all}', String(all));

/** Returns what the user decided about drafts, in the words of the buttons. */
function decisions(data: Values[], texts: Texts): string {
	const count = data.filter(({ approved }) => approved).length;
	return count === 0 ? texts.declineAll : sendLabel(texts, String(count), data.length);
}

function fieldParts(
	field: FormField,
	texts: Texts,
	id: string,
	values: string[],
	error: Advice | undefined,
	focus: string,
): string {
	const required = field.isRequired ? ` <span class="required">${texts.required}</span>` : '';
	const label = `<span dir="auto">${escaped(translated('response', field.label, texts))}</span>${required}`;
	const described = error ? ` aria-describedby="${id}-error"` : '';
	const errorText = error ? `\n<p class="error" id="${id}-error">${texts[error]}</p>` : '';
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
	const box = `<input type="checkbox" name="${name}" value="${value}"${checked}>`;
	return `<label class="choice">${box} <span dir="auto">${escaped(choice)}</span></label>`;
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
			return `<option dir="auto" value="${choiceValue(at)}"${selected}>${escaped(choice)}</option>`;
		});
		return `<select ${attributes}><option value=""></option>${options.join('')}</select>`;
	}
	// Browsers drop a line break at the start of a text area, so an extra one protects a line break of the user.
	if (type === 'textarea') {
		return `<textarea ${attributes}${hint} maxlength="${MAX_ANSWER_LENGTH}" rows="5" dir="auto">\n${escaped(value)}</textarea>`;
	}
	const step = type === 'number' ? ' step="any"' : '';
	const direction = type === 'date' ? '' : ` dir="${type === 'text' ? 'auto' : 'ltr'}"`;
	return `<input type="${type}" ${attributes}${hint}${step}${direction} value="${escaped(value)}">`;
}

/** Returns the page after an answer. `bdi` sets the direction of a label or value, but not its alignment. */
export function answeredPage(question: Question, language: Language, data: Values[]): string {
	const texts = textsIn(language);
	const [values = {}] = data;
	const answers =
		question.kind === 'form'
			? question.fields.map((field) => [
					translated('response', field.label, texts),
					shownValue(field, values[field.name], language),
				])
			: question.kind === 'drafts'
				? [[texts.response, decisions(data, texts)]]
				: [[texts.response, decision(question, values.approved === true, texts)]];
	const shown = answers
		.filter(([, value]) => value !== '')
		.map(
			([label = '', value = '']) =>
				`<dt><bdi>${escaped(label)}</bdi></dt><dd class="text"><bdi>${escaped(value)}</bdi></dd>`,
		);
	return page(
		language,
		texts.thanks,
		`<p class="text">${texts.thanksText}</p>
<dl>${shown.join('')}</dl>`,
	);
}

const decision = ({ approve, decline = '' }: Approval, isApproved: boolean, texts: Texts) =>
	isApproved ? translated('approve', approve, texts) : translated('decline', decline, texts);

function shownValue(
	{ type }: FormField,
	value: AnswerValue | undefined,
	language: Language,
): string {
	if (typeof value === 'number') return numberIn(language, value);
	if (type === 'date' && typeof value === 'string') return dateIn(language, value);
	return [value ?? ''].flat().join(', ');
}

export type Notice = 'closed' | 'expired' | 'invalid' | 'tooLong' | 'tooMany';

export function noticePage(notice: Notice, language: Language): string {
	const texts = textsIn(language);
	const text = texts[`${notice}Text`].replace('{max}', numberIn(language, MAX_ANSWER_LENGTH, true));
	return page(language, texts[notice], `<p class="text">${text}</p>`);
}
