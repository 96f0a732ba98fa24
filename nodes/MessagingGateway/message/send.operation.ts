import type { INodeProperties } from 'n8n-workflow';

import { endpoints } from '../../../gateway/endpoints';
import { MAX_TEXT_LENGTH, requiredText } from '../../../gateway/inputValues';
import { InvalidInput } from '../../../gateway/invalidInput';
import { addressOf, textBody } from '../../../gateway/messageBody';
import { MIN_PART_LENGTH, splitText } from '../../../gateway/splitText';
import { numberOf, type Operation } from '../request/operation';
import {
	additionalFields,
	body,
	bodyForm,
	bodyOptions,
	builtByNode,
	defaultCountry,
	deliveryWindow,
	idempotencyKey,
	recipient,
	sendOnlyOptions,
	textFormat,
} from './fields';
import {
	bodyFormOf,
	commonFields,
	formatted,
	type Options,
	optionsOf,
	type PrepareMessage,
	userMessage,
} from './messageFields';
import { messageOperation } from './messageOperation';
import { sendOptions, withSendOptions } from './sendOptions';

/** Characters as most chats count them: UTF-16 units. */
const splitLongText: INodeProperties = {
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

const prepare: PrepareMessage = (item) => {
	const form = bodyFormOf(item);
	if (form === 'json') return userMessage(item);
	const options = optionsOf(item);
	const { fields, address, keyOf } = commonFields(item, options);
	const text = requiredText(
		item.field('text'),
		'Text',
		'Enter the text of the message.',
		MAX_TEXT_LENGTH,
	);
	const limit = partLength(options, fields.additionalFields, keyOf);
	const whole = formatted(text, options, 'Text');
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
};

export const send: Operation = {
	option: {
		name: 'Send',
		value: 'send',
		action: 'Send text message',
		description: 'Send a text message to a person, group or channel',
	},
	...messageOperation(endpoints.sendMessage, prepare),
	properties: [
		...builtByNode([
			recipient,
			{
				displayName: 'Text',
				name: 'text',
				type: 'string',
				typeOptions: { rows: 4 },
				required: true,
				default: '',
				placeholder: 'e.g. Your table is booked for 7 pm',
				description: 'The text of the message',
			},
		]),
		bodyForm,
		body,
		bodyOptions(
			withSendOptions([
				additionalFields,
				defaultCountry,
				deliveryWindow,
				idempotencyKey,
				splitLongText,
				textFormat,
			]),
		),
		sendOnlyOptions(sendOptions),
	],
};
