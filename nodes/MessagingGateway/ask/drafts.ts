import type { IExecuteFunctions } from 'n8n-workflow';

import { MAX_TEXT_LENGTH, requiredText } from '../../../gateway/inputValues';
import { text, toggle } from '../fields/field';
import { recipientOf } from '../message/recipient';
import { type Item, itemIndexes, itemReader } from '../operation/item';
import type { Draft } from './question';

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

/**
 * Matches what a page shows as nothing or as something else: marks of direction, controls, and characters without a shape. Emoji and
 * languages such as Persian need U+200C, U+200D and U+FE0F.
 */
const INVISIBLE =
	/(?![ \t\n]|\ufe0f\u20e3|(?<=[^\p{sc=Latn}\p{sc=Cyrl}\p{sc=Grek}\p{N}\p{P}\p{Z}\p{C}])[\u200c\u200d\ufe0f])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{DI}\u2800]/gu;

/** Returns the message of an item, without what could hide or reorder a part of it: a page and a text area show exactly this text. */
function draftOf(item: Item): Draft {
	const { field, index } = item;
	const ofItem = ` of item ${index}`;
	const { name, displayName } = draftRecipient;
	const { id, name: shown = id } = recipientOf(item, { name, displayName: displayName + ofItem });
	const required = (value: unknown) =>
		requiredText(
			value,
			draft.displayName + ofItem,
			'Enter the message of the item.',
			MAX_TEXT_LENGTH,
		);
	const written = required(field(draft.name)).toWellFormed().replace(/\r\n?/g, '\n');
	return { recipient: shown, text: required(written.replace(INVISIBLE, '')) };
}

/** Returns the messages of all items of the run, with the credential of the given one. */
export function draftsOf(context: IExecuteFunctions, { credentials }: Item): Draft[] {
	const itemAt = itemReader(context);
	return itemIndexes(context).map((index) => draftOf({ ...itemAt(index), credentials }));
}
