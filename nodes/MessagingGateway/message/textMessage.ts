import type { INodeProperties } from 'n8n-workflow';

import { InvalidInput } from '../../../gateway/invalidInput';
import { type BodyForm, chatAndKeyOf, messageBody } from '../../../gateway/wire/messageBody';
import { MIN_PART_LENGTH, splitText } from '../../../gateway/text/splitText';
import { numberOf } from '../request/operation';
import type { InputItem } from './inputItem';
import { commonFields, type Options } from './messageFields';
import type { Part, PreparedMessage } from './preparedMessage';

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
	if (!keyOf && additionalFields && chatAndKeyOf(additionalFields).hasKey) {
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
	const { fields, chatAndKey, keyOf } = commonFields(item, options);
	const limit = partLength(options, fields.additionalFields, keyOf);
	const whole = text();
	const texts = limit === undefined ? [whole] : splitText(whole, limit);
	const part = (shown: string, idempotencyKey?: string) => ({
		fields: { ...fields, type: 'text' as const, text: shown, idempotencyKey },
		form,
	});
	// Rejects additional fields that cannot be sent.
	if (fields.additionalFields) messageBody(part(whole, keyOf && 'key').fields, form);
	if (texts.length === 1) {
		const [shown] = texts as [string];
		return { ...chatAndKey, parts: [part(shown, keyOf?.({ fields: { ...fields, text: shown } }))] };
	}
	// Not for each part, because it covers the whole text. With another limit, the parts are other messages.
	const key = keyOf?.({ fields: { ...fields, text: whole, splitLongText: limit } });
	const parts = texts.map((shown, index): Part => part(shown, key && `${key}-part-${index + 1}`));
	return { ...chatAndKey, parts };
}
