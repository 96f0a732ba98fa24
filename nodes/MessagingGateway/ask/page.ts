import { createHash } from 'crypto';

import STYLE from './page.css';
import {
	buttonsOf,
	choiceValue,
	type FormField,
	inputName,
	MAX_ANSWER_LENGTH,
	type Question,
	type Rejected,
	TEXT_AREA,
	tickName,
	type Values,
} from './question';
import { direction, type Language, textsIn, translated, type Texts } from './texts';

/** Returns a text as HTML that shows it. */
const escaped = (text: string) =>
	text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const styleHash = createHash('sha256').update(STYLE).digest('base64');

/** The page contains the policy, too, because n8n replaces the header of the page that follows an answer. */
const CONTENT_POLICY = `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'self'; base-uri 'none'`;

/** With these headers, the page runs no scripts, loads nothing, and is neither indexed nor cached nor shown in a frame. */
export const PAGE_HEADERS = {
	'Content-Type': 'text/html; charset=utf-8',
	'Content-Security-Policy': `${CONTENT_POLICY}; frame-ancestors 'none'`,
	'Referrer-Policy': 'no-referrer',
	'X-Robots-Tag': 'noindex, nofollow',
	'X-Content-Type-Options': 'nosniff',
	'Cache-Control': 'no-store',
};

export function questionPage(question: Question, language: Language, rejected?: Rejected): string {
	const { title, text, fields, drafts, buttons } = question;
	const texts = textsIn(language);
	const at = enteredIn(rejected);
	const parts = drafts
		? drafts.map((_, index) => draftPart(question, index, texts, at(index)))
		: fields.map((field, index) => fieldPart(field, texts, inputName(index), at(index)));
	const { error, focus } = at(parts.length);
	const shown = buttonsOf(buttons).map(({ key, label, answer }) => {
		const attributes = answer === 'true' ? `class="primary"${focus}` : 'class="secondary"';
		const html = withCount(escaped(translated(key, label, texts)), TICKED, parts.length);
		return `<button ${attributes} name="approved" value="${answer}" dir="auto">${html}</button>`;
	});
	const alert = rejected ? `<p class="alert" role="alert">${texts.notSent}</p>` : '';
	const multipart = parts.length > 0 ? ' enctype="multipart/form-data"' : '';
	// The Enter key presses the first button of a form. Browsers ignore a hidden one, or send what decides nothing.
	const list =
		drafts && `<button hidden></button>\n<ol class="drafts">\n${parts.join('\n')}\n</ol>`;
	const content = `<p class="text" dir="auto">${escaped(text)}</p>
${alert}<form method="post"${multipart}>
${list ?? parts.join('\n')}
${error ? `<p class="alert">${texts[error]}</p>` : ''}<div class="buttons">
${shown.join('\n')}
</div>
</form>`;
	return page(language, translated('title', title, texts), content);
}

/** Stands for the number of ticked drafts, which the style sheet counts. */
const TICKED = '<span class="count"></span>';

const withCount = (label: string, count: number | string, all: number) =>
	label.replace('{count}', String(count)).replace('{all}', String(all));

/** Returns what was entered in a field, and what is wrong with it. The first error has the focus, or the button after all fields. */
function enteredIn(rejected?: Rejected) {
	const { entered = [], errors = [] } = rejected ?? {};
	const first = errors.findIndex((error) => error !== undefined);
	const focused = rejected && (first < 0 ? entered.length : first);
	return (index: number) => ({
		values: entered[index] ?? [],
		error: errors[index],
		focus: index === focused ? ' autofocus' : '',
	});
}

type Entered = ReturnType<ReturnType<typeof enteredIn>>;

function draftPart(question: Question, index: number, texts: Texts, entered: Entered): string {
	const { drafts = [], mayEdit } = question;
	const { recipient, text } = drafts[index]!;
	const { values, error } = entered;
	const [edited = text, ...tick] = values;
	const name = tickName(index);
	const to = recipient.replace(/^\d+$/, '+$&');
	const label = `<span class="required">${index + 1}/${drafts.length}</span> <bdi>${escaped(to)}</bdi>`;
	const field = { ...TEXT_AREA, label: to };
	const replaced = edited === text ? '' : ' replaced';
	const edit = `<details${error ? ' open' : ''}><summary>${texts.edit} <bdi>${escaped(to)}</bdi></summary>
${fieldPart(field, texts, inputName(index), { ...entered, values: [edited] })}</details>`;
	return `<li>${checkbox(name, 'true', label, tick, ` aria-describedby="${name}"`)}
<p class="text${replaced}" id="${name}" dir="auto">${escaped(text)}</p>
${mayEdit ? edit : ''}</li>`;
}

function fieldPart(
	field: FormField,
	texts: Texts,
	id: string,
	{ values, error, focus }: Entered,
): string {
	const required = field.isRequired ? ` <span class="required">${texts.required}</span>` : '';
	const label = `<span dir="auto">${escaped(translated('response', field.label, texts))}</span>${required}`;
	const described = error ? ` aria-describedby="${id}-error"` : '';
	const errorText = error ? `\n<p class="error" id="${id}-error">${texts[error]}</p>` : '';
	if (field.type === 'checkbox') {
		const boxes = field.choices.map((choice, at) =>
			checkbox(id, choiceValue(at), `<bdi>${escaped(choice)}</bdi>`, values),
		);
		return `<fieldset${described}><legend>${label}</legend>\n${boxes.join('\n')}${errorText}</fieldset>`;
	}
	const invalid = error ? ` aria-invalid="true"${described}` : '';
	const attributes = `id="${id}" name="${id}"${invalid}${focus}${field.isRequired ? ' required' : ''}`;
	return `<div class="field"><label for="${id}">${label}</label>\n${control(field, attributes, values)}${errorText}</div>`;
}

/** Returns a checkbox, whose label is HTML. */
function checkbox(name: string, value: string, label: string, ticked: string[], more = ''): string {
	const checked = ticked.includes(value) ? ' checked' : '';
	const box = `<input type="checkbox" name="${name}" value="${value}"${more}${checked}>`;
	return `<label class="choice">${box} <span>${label}</span></label>`;
}

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
	const count = data.filter(({ approved }) => approved).length;
	const decisions = buttonsOf(question.buttons)
		.filter(({ answer }) => answer === String(count > 0))
		.map(({ key, label }) => [
			texts.response,
			question.drafts && count > 0
				? withCount(texts.approvedCount, count, data.length)
				: translated(key, label, texts),
		]);
	const values = question.fields.map((field) => [
		translated('response', field.label, texts),
		[data[0]![field.name] ?? ''].flat().join(', '),
	]);
	const shown = (values.length > 0 ? values : decisions)
		.filter(([, value]) => value !== '')
		.map(
			([label = '', value = '']) =>
				`<dt><bdi>${escaped(label)}</bdi></dt><dd class="text"><bdi>${escaped(value)}</bdi></dd>`,
		);
	const content = `<p class="text">${texts.thanksText}</p>\n<dl>${shown.join('')}</dl>`;
	return page(language, texts.thanks, content);
}

export type Notice = 'closed' | 'expired' | 'invalid' | 'tooLong';

export function noticePage(notice: Notice, language: Language): string {
	const texts = textsIn(language);
	const text = texts[`${notice}Text`].replace('{max}', String(MAX_ANSWER_LENGTH));
	return page(language, texts[notice], `<p class="text">${text}</p>`);
}

/** Returns a complete page. `content` is HTML, but `title` is text. */
function page(language: Language, title: string, content: string): string {
	return `<!doctype html>
<html lang="${language}" dir="${direction(language)}">
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
