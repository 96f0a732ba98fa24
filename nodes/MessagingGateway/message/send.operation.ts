import { MAX_TEXT_LENGTH, NOT_SET, requiredText, InvalidInput } from '../../../gateway/inputValues';
import { splitText } from '../../../gateway/text/splitText';
import { endpoints } from '../../../gateway/wire/endpoints';
import { namedRecipient } from '../../../gateway/wire/guard';
import {
	chatAndKeyOf,
	customJson,
	KEY_NAMES,
	messageBody,
} from '../../../gateway/wire/messageBody';
import { choice, json, options, text, wholeNumber } from '../fields/field';
import { choiceOf, numberOf } from '../fields/read';
import { isModelCall } from '../n8n/toolCalls';
import type { Item } from '../operation/item';
import type { Operation } from '../operation/operation';
import { commonFields, formattedText, messageOptions } from './commonFields';
import { recipient } from './recipient';
import { type NewMessage, sendMessages } from './sendMessages';
import { sendOptions, toolOptions } from './sendOptions';

/** Counts characters as most chats do, in UTF-16 units. */
export const splitLongText = wholeNumber('splitLongText', 'Split Long Text', {
	range: [100, 60_000],
	default: 4000,
})(
	'Maximum number of characters per message; most emoji count as two or more. A longer text is sent as several messages, split at paragraphs, sentences or words.',
	'messages.md#long-texts',
);

function rejectSharedKey(additionalFields: Record<string, unknown> = {}): void {
	if (KEY_NAMES.every((name) => !additionalFields[name])) return;
	throw new InvalidInput(
		"'Additional Fields' contains an idempotency key, which would be the same for all parts of a split text",
		"Use the option 'Idempotency Key' instead: it gives each part its own key.",
	);
}

/**
 * Returns a text message, in parts if the user wants that, and its text. The text is not part of the message, because
 * messages that wait would hold it in memory twice. `shownText` returns the text as the chat shows it.
 */
export function textMessage(item: Item, shownText: () => string) {
	const { option } = item;
	const isSet = option(splitLongText.name) !== NOT_SET;
	const maxPartLength = isSet ? numberOf(splitLongText, option) : undefined;
	const { fields, fieldNames, chatAndKey, idempotencyKeyOf, heading } = commonFields(item);
	if (isSet) rejectSharedKey(fields.additionalFields);
	const text = heading + shownText();
	const texts = maxPartLength === undefined ? [text] : splitText(text, maxPartLength);
	const body = (shown: string, idempotencyKey?: string) =>
		messageBody({ ...fields, type: 'text', text: shown, idempotencyKey }, fieldNames);
	// This body is only a check: additional fields that cannot be sent must fail before the key is computed from them.
	if (fields.additionalFields) body(text, idempotencyKeyOf && 'key');
	const isSplit = texts.length > 1;
	// The key covers the whole text. It also covers the limit, because with another one the parts are other messages.
	const key = idempotencyKeyOf?.({
		fields: { ...fields, text, splitLongText: isSplit ? maxPartLength : undefined },
	});
	const parts = texts.map((shown, at) =>
		body(shown, key && (isSplit ? `${key}-part-${at + 1}` : key)),
	);
	return { message: { ...chatAndKey, endpoint: endpoints.sendMessage, parts }, text, texts };
}

export const textFromFields = (item: Item) =>
	textMessage(item, () => {
		const advice = 'Enter the text of the message.';
		const entered = requiredText(item.field('text'), 'Text', advice, MAX_TEXT_LENGTH);
		return formattedText(entered, item, 'Text');
	});

const textField = text('text', 'Text', {
	required: true,
	example: 'Your table is booked for 7 pm',
	rows: 4,
})(
	'The text of the message. If your gateway rejects long texts, add Split Long Text under Advanced Options.',
);

export const textFields = [recipient, textField];
export const textOptions = [...messageOptions, splitLongText, ...sendOptions];

export const send: Operation = {
	option: ['send', 'Send', 'Send text message'],
	description: 'Send a text message to a person, group or channel',
	builderHint:
		'The outcome sent means that the gateway has accepted the message, not that the phone has it.',
	execute: async (context) => await sendMessages(context, (item) => textFromFields(item).message),
	properties: [...textFields, ...options([...textOptions, ...toolOptions])],
};

const endpointField = choice('endpoint', 'Endpoint', 'sendMessage', [
	['sendMedia', 'Send Media', 'For files'],
	['sendMessage', 'Send Message', 'For texts'],
])('Where the body is sent');

const body = json('body', 'Body', {
	required: true,
	example: '{"chatId": "4915123456789", "type": "text", "text": "Hello"}',
})('The JSON text, signed and sent exactly as it is, including spaces');

/** Parses the body only to find the chat and the key, because it is sent exactly as the user entered it. */
function jsonMessage({ context, credentials = {}, field }: Item): NewMessage {
	// The body cannot have a name in place of an ID.
	namedRecipient(credentials, undefined, isModelCall(context));
	const { text, fields } = customJson(field('body'));
	const parts = [Buffer.from(text)];
	return { ...chatAndKeyOf(fields), endpoint: endpoints[choiceOf(endpointField, field)], parts };
}

export const sendJson: Operation = {
	option: ['sendJson', 'Send Custom JSON', 'Send custom JSON'],
	description: 'Send a message whose JSON you write yourself, byte for byte',
	builderHint: 'Only for bodies that send and sendMedia cannot write.',
	execute: async (context) => await sendMessages(context, jsonMessage),
	properties: [endpointField, body, ...options([...sendOptions, ...toolOptions])],
};
