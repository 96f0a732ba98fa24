import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { MAX_TEXT_LENGTH, requiredText } from '../../../gateway/inputValues';
import { text, toggle } from '../fields/field';
import { recipientOf } from '../message/recipient';
import { type Item, itemIndexes, itemReader } from '../operation/item';
import { escaped } from './html';
import {
	type Advice,
	type Answer,
	type Draft,
	type DraftList,
	readInputs,
	type Values,
} from './question';

const draftRecipient = text('draftRecipient', 'Recipient', {
	required: true,
	example: '{{ $json.phone }}',
})('Who gets the message of the item if it is approved: a phone number, an ID or a name');
const draft = text('draft', 'Draft', { required: true, example: '{{ $json.text }}', rows: 4 })(
	'The message of the item. The page shows it, and the output has it as data.text if it is approved.',
);
export const allowEdits = toggle(
	'allowEdits',
	'Allow Edits',
)('Whether the user can change the messages');

export const draftFields = [draftRecipient, draft, allowEdits];

/** Returns the message of an item, as the page shows it. Browsers write line breaks and broken characters in this way, too. */
function draftOf(item: Item): Draft {
	const { field, index } = item;
	const labelled = ({ displayName }: INodeProperties) => `${displayName} of item ${index}`;
	const entered = field(draftRecipient.name);
	const { id, name = id } = recipientOf(item, entered, labelled(draftRecipient));
	const advice = 'Enter the message of the item.';
	const written = requiredText(field(draft.name), labelled(draft), advice, MAX_TEXT_LENGTH);
	return { recipient: name, text: written.replace(/\r\n?/g, '\n').toWellFormed() };
}

/** Returns the messages of all items of the run, with the credential of the given one. */
export function draftsOf(context: IExecuteFunctions, { credentials }: Item): Draft[] {
	const itemAt = itemReader(context);
	return itemIndexes(context).map((index) => draftOf({ ...itemAt(index), credentials }));
}

/** Limits a text that the user edited. Chats take no longer one. */
const MAX_EDITED_LENGTH = 4_096;

/**
 * Matches what a page shows as nothing or as something else: marks of direction, controls, and characters without a shape. Emoji and
 * languages such as Persian need U+200C, U+200D and U+FE0F.
 */
const INVISIBLE =
	/(?![ \t\n]|\ufe0f\u20e3|(?<=[^\p{sc=Latn}\p{sc=Cyrl}\p{sc=Grek}\p{N}\p{P}\p{Z}\p{C}])[\u200c\u200d\ufe0f])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{DI}\u2800]/gu;

const codeOf = (character: string) =>
	character
		.split('')
		.map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
		.join('');

/** Returns HTML that shows every character of a text, so that none can hide or reorder others. */
export const visible = (text: string) =>
	escaped(text).replace(INVISIBLE, (character) => `<mark>${codeOf(character)}</mark>`);

/** Returns what a text area contains at first. Without invisible characters, browsers send back the same text. */
export const editable = (text: string) => text.replace(INVISIBLE, '');

export const tickName = (index: number) => `tick-${index}`;
export const textName = (index: number) => `text-${index}`;

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
