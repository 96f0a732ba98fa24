import { MAX_TEXT_LENGTH, NOT_SET, requiredText } from '../../../gateway/inputValues';
import { InvalidInput } from '../../../gateway/invalidInput';
import { MIN_PART_LENGTH, splitText } from '../../../gateway/text/splitText';
import { endpoints } from '../../../gateway/wire/endpoints';
import { chatAndKeyOf, messageBody } from '../../../gateway/wire/messageBody';
import { described, options, text, wholeNumber } from '../fields/field';
import { numberOf, optionsIn, type Read } from '../fields/read';
import type { Operation } from '../request/operation';
import { commonFields, formatted, messageOptions, recipient } from './fields';
import type { InputItem } from './inputItem';
import { messageOperation } from './messageOperation';
import type { Part, PreparedMessage, PrepareMessage } from './preparedMessage';
import { sendOptions } from './sendOptions';

/** Characters as most chats count them: UTF-16 units. */
export const splitLongText = wholeNumber(
	'splitLongText',
	'Split Long Text',
	[MIN_PART_LENGTH, 60_000],
	4000,
)(
	described(
		'Maximum number of characters per message; most emoji count as two or more. A longer text is sent as several messages, split at paragraphs, sentences or words.',
		'messages.md#long-texts',
	),
);

/** Undefined if texts are not split. */
function partLength(
	option: Read,
	additionalFields: Record<string, unknown> | undefined,
	keyOf: unknown,
): number | undefined {
	if (option('splitLongText') === NOT_SET) return undefined;
	if (!keyOf && additionalFields && chatAndKeyOf(additionalFields).hasKey) {
		throw new InvalidInput(
			"'Additional Fields' contains an idempotency key, which would be the same for all parts of a split text",
			"Use the option 'Idempotency Key' instead: it gives each part its own key.",
		);
	}
	return numberOf(splitLongText, option);
}

/** A text message, in parts if the user wants that. `text` returns the whole text as the chat shows it. */
export function textMessage(item: InputItem, option: Read, text: () => string): PreparedMessage {
	const { fields, names, chatAndKey, keyOf } = commonFields(item, option);
	const message = { ...chatAndKey, endpoint: endpoints.sendMessage };
	const limit = partLength(option, fields.additionalFields, keyOf);
	const whole = text();
	const texts = limit === undefined ? [whole] : splitText(whole, limit);
	const part = (shown: string, idempotencyKey?: string) => ({
		fields: { ...fields, type: 'text' as const, text: shown, idempotencyKey },
		names,
	});
	// Rejects additional fields that cannot be sent.
	if (fields.additionalFields) messageBody(part(whole, keyOf && 'key').fields, names);
	if (texts.length === 1) {
		const [shown] = texts as [string];
		return { ...message, parts: [part(shown, keyOf?.({ fields: { ...fields, text: shown } }))] };
	}
	// Not for each part, because it covers the whole text. With another limit, the parts are other messages.
	const key = keyOf?.({ fields: { ...fields, text: whole, splitLongText: limit } });
	const parts = texts.map((shown, index): Part => part(shown, key && `${key}-part-${index + 1}`));
	return { ...message, parts };
}

/** The text of an item, as the chat shows it. */
export function shownText({ field }: InputItem): string {
	const advice = 'Enter the text of the message.';
	const entered = requiredText(field('text'), 'Text', advice, MAX_TEXT_LENGTH);
	return formatted(entered, optionsIn(field), 'Text');
}

export const prepareText: PrepareMessage = (item) =>
	textMessage(item, optionsIn(item.field), () => shownText(item));

const textField = text('text', 'Text', {
	required: true,
	example: 'Your table is booked for 7 pm',
	rows: 4,
})('The text of the message');

export const textFields = [recipient, textField];
export const textOptions = [...messageOptions, splitLongText, ...sendOptions];

export const send: Operation = {
	option: ['send', 'Send', 'Send text message'],
	description:
		'Send a text message to a person, group or channel. The outcome sent means that the gateway has accepted it, not that the phone has it.',
	...messageOperation(prepareText),
	properties: [...textFields, options(textOptions)],
};
