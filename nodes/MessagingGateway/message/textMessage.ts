import type { INodeProperties } from 'n8n-workflow';

import { InvalidInput } from '../../../gateway/invalidInput';
import { addressOf, type BodyForm, textBody } from '../../../gateway/wire/messageBody';
import { MIN_PART_LENGTH, splitText } from '../../../gateway/text/splitText';
import { numberOf } from '../request/operation';
import type { InputItem } from './inputItem';
import { commonFields, type Options, type PreparedMessage } from './messageFields';

/** Characters as most chats count them: UTF-16 units. */
export const splitLongText: INodeProperties = {
	displayName: 'Split Long Text',
	name: 'splitLongText',
	type: 'number',
	typeOptions: { minValue: MIN_PART_LENGTH, maxValue: 60_000, numberPrecision: 0 },
	default: 4000,
	description:
		'Maximum number of characters per message; most emoji count as two or more. A longer text is sent as several messages, split at paragraphs, sentences or words.',
};

/** Undefined if texts are not split. */
function partLength(
	options: Options,
	additionalFields: Record<string, unknown> | undefined,
	keyOf: unknown,
): number | undefined {
	if (!Object.hasOwn(options, 'splitLongText')) return undefined;
	if (!keyOf && additionalFields && addressOf(additionalFields).hasKey) {
		throw new InvalidInput(
			"'Additional Fields' contains an idempotency key, which would be the same for all parts of a split text",
			"Use the option 'Idempotency Key' instead: it gives each part its own key.",
		);
	}
	return numberOf(splitLongText, options.splitLongText);
}

/** A text message, in parts if the user wants that. `text` returns the whole text as the chat shows it. */
export function textMessage(
	item: InputItem,
	form: BodyForm,
	options: Options,
	text: () => string,
): PreparedMessage {
	const { fields, address, keyOf } = commonFields(item, options);
	const limit = partLength(options, fields.additionalFields, keyOf);
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
