import { escaped } from './html';
import { type Advice, type Answer, type DraftList, readInputs, type Values } from './question';
import { type Language, numberIn, textsIn, type Texts } from './texts';

/** Limits a text that the user edited. Chats take no longer one. */
export const MAX_EDITED_LENGTH = 4_096;

/** Matches what a page shows as nothing or as something else: marks of direction, controls, and characters without a shape. */
const INVISIBLE = /(?![ \t\n\u200c\u200d\ufe0f])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{DI}\u2800]/gu;

const codeOf = (character: string) =>
	character
		.split('')
		.map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
		.join('');

/** Returns HTML that shows every character of a text, so that none can hide or reorder others. */
const shown = (text: string) =>
	escaped(text).replace(INVISIBLE, (character) => `<mark>${codeOf(character)}</mark>`);

/** Returns what a text area contains at first. Without invisible characters, browsers send back the same text. */
const editable = (text: string) => text.replace(INVISIBLE, '');

const tickName = (index: number) => `tick-${index}`;
const textName = (index: number) => `text-${index}`;

/** Reads the decisions about a list. Only a ticked draft is approved, as it was shown or edited. */
export function readDecisions({ drafts, mayEdit }: DraftList, body: unknown): Answer {
	const names = drafts.flatMap((_, index) => [tickName(index), textName(index)]);
	const max = drafts.reduce((sum, { text }) => sum + text.length + 2 * MAX_EDITED_LENGTH, 0);
	const entered = readInputs(['decision', ...names], body, max);
	if (entered === 'tooLong') return entered;
	const decision = entered[0]!.join();
	const isDeclined = decision === 'decline';
	const ticks = drafts.map((_, index) => entered[2 * index + 1]!.join() === 'true');
	const texts = drafts.map(({ text }, index) => {
		const [edited = editable(text)] = mayEdit ? entered[2 * index + 2]! : [];
		return edited === editable(text) ? text : edited;
	});
	const errors = texts.map((text, index): Advice | undefined => {
		if (text === drafts[index]!.text) return undefined;
		return text.trim() === ''
			? 'enterText'
			: text.length > MAX_EDITED_LENGTH
				? 'enterShorter'
				: undefined;
	});
	const isValid = decision === 'send' && ticks.includes(true) && !errors.some(Boolean);
	if (!isValid && !isDeclined) {
		const ticked = drafts.map((_, index) => decision === 'all' || ticks[index]);
		return { entered: texts.map((text, index) => [ticked[index] ? 'true' : '', text]), errors };
	}
	const data = drafts.map(({ recipient, text: draft }, index): Values => {
		if (isDeclined || !ticks[index]) return { approved: false, recipient, draft };
		const text = texts[index]!;
		return { approved: true, edited: text !== draft, recipient, draft, text };
	});
	return { data };
}

type Rejected = Extract<Answer, { errors: unknown }>;

export function draftParts(list: DraftList, language: Language, rejected?: Rejected): string {
	const { drafts, mayEdit } = list;
	const texts = textsIn(language);
	const { entered, errors } = rejected ?? { entered: [], errors: [] };
	const firstError = errors.findIndex(Boolean);
	const items = drafts.map(({ recipient, text }, index) => {
		const [tick, edited = text] = entered[index] ?? [];
		const tickId = tickName(index);
		const number = `<span class="required">${index + 1}/${drafts.length}</span>`;
		const box = `<input type="checkbox" id="${tickId}" name="${tickId}" value="true" aria-describedby="said-${index}"${tick ? ' checked' : ''}>`;
		const label = `<label class="choice">${box} <span id="for-${index}">${number} <bdi>${shown(recipient)}</bdi></span></label>`;
		const said = `<p class="text" id="said-${index}" dir="auto">${shown(text)}</p>`;
		const error = errors[index];
		const focus = index === firstError ? ' autofocus' : '';
		const field =
			mayEdit &&
			editField(
				index,
				texts,
				edited === text ? editable(text) : edited,
				error && errorText(error, language),
				focus,
			);
		return `<li>${label}\n${said}\n${field || ''}</li>`;
	});
	const isFull = entered.length > 0 && entered.every(([tick]) => tick);
	const none = rejected && !entered.some(([tick]) => tick);
	// The Enter key presses the first button of a form. Browsers ignore a hidden one, or send what decides nothing.
	return `<button hidden></button>
<ol class="drafts">
${items.join('\n')}
</ol>
${none ? `<p class="alert">${texts.chooseSome}</p>` : ''}
<p class="buttons"><button class="secondary" name="decision" value="all">${texts.tickAll}</button></p>
<div class="buttons">
<button class="primary" name="decision" value="send"${isFull && firstError < 0 ? ' autofocus' : ''}>${sendLabel(texts, '<span class="count"></span>', list)}</button>
<button class="secondary" name="decision" value="decline">${texts.declineAll}</button>
</div>`;
}

const sendLabel = ({ sendCount }: Texts, count: string, { drafts }: DraftList) =>
	sendCount.replace('{count}', count).replace('{all}', String(drafts.length));

const errorText = (error: Advice, language: Language) =>
	textsIn(language)[error].replace('{max}', numberIn(language, MAX_EDITED_LENGTH, true));

/** The text area begins with an extra line break, because browsers drop the first one. It has no maximum: browsers would cut what is pasted. */
function editField(
	index: number,
	{ edit }: Texts,
	value: string,
	error: string | undefined,
	focus: string,
) {
	const id = textName(index);
	const invalid = error ? ` aria-invalid="true" aria-describedby="${id}-error"` : '';
	const rows = Math.min(20, 2 + Math.ceil(value.length / 40) + value.split('\n').length);
	return `<details${error ? ' open' : ''}><summary id="edit-${index}">${edit}</summary>
<textarea id="${id}" name="${id}" aria-labelledby="edit-${index} for-${index}" rows="${rows}" dir="auto"${invalid}${focus}>\n${escaped(value)}</textarea>
${error ? `<p class="error" id="${id}-error">${error}</p>` : ''}</details>`;
}

/** Returns what the user decided, in the words of the buttons. */
export function decisions(list: DraftList, data: Array<{ approved?: unknown }>, texts: Texts) {
	const count = data.filter(({ approved }) => approved).length;
	return count === 0 ? texts.declineAll : sendLabel(texts, String(count), list);
}
