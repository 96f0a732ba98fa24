import { NOT_SET } from '../../../gateway/inputValues';
import { InvalidInput } from '../../../gateway/invalidInput';
import { addressOf, type BodyForm, textBody } from '../../../gateway/wire/messageBody';
import { MIN_PART_LENGTH, splitText } from '../../../gateway/text/splitText';
import { wholeNumber } from '../fields/field';
import { numberOf, type Read } from '../fields/read';
import { commonFields, type PreparedMessage } from './fields';
import type { InputItem } from './inputItem';

/** Characters as most chats count them: UTF-16 units. */
export const splitLongText = wholeNumber(
	'splitLongText',
	'Split Long Text',
	[MIN_PART_LENGTH, 60_000],
	4000,
)(
	'Maximum number of characters per message; most emoji count as two or more. A longer text is sent as several messages, split at paragraphs, sentences or words.',
);

/** Undefined if texts are not split. */
function partLength(
	option: Read,
	additionalFields: Record<string, unknown> | undefined,
	keyOf: unknown,
): number | undefined {
	if (option('splitLongText') === NOT_SET) return undefined;
	if (!keyOf && additionalFields && addressOf(additionalFields).hasKey) {
		throw new InvalidInput(
			"'Additional Fields' contains an idempotency key, which would be the same for all parts of a split text",
			"Use the option 'Idempotency Key' instead: it gives each part its own key.",
		);
	}
	return numberOf(splitLongText, option);
}

/** A text message, in parts if the user wants that. `text` returns the whole text as the chat shows it. */
export function textMessage(
	item: InputItem,
	form: BodyForm,
	option: Read,
	text: () => string,
): PreparedMessage {
	const { fields, address, keyOf } = commonFields(item, option);
	const limit = partLength(option, fields.additionalFields, keyOf);
	const whole = text();
	const texts = limit === undefined ? [whole] : splitText(whole, limit);
	const isSplit = texts.length > 1;
	const message = { ...fields, text: isSplit ? whole : texts[0]! };
	const bodyWith = (key?: string, part = message.text) =>
		textBody({ ...message, text: part, idempotencyKey: key }, form);
	// Rejects additional fields that cannot be sent before any message is.
	if (fields.additionalFields) bodyWith(keyOf && 'key');
	if (!isSplit) return { ...address, body: () => bodyWith(keyOf?.({ fields: message })) };
	// Not for each part, because it covers the whole text. With another limit, the parts are other messages.
	let key: string | undefined;
	return {
		...address,
		parts: texts.length,
		body(part) {
			key ??= keyOf?.({ fields: { ...message, splitLongText: limit } });
			return bodyWith(key && `${key}-part-${part + 1}`, texts[part]);
		},
	};
}
