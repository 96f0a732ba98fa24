import { endpoints } from '../../../gateway/endpoints';
import { MAX_TEXT_LENGTH, requiredText } from '../../../gateway/inputValues';
import { textBody } from '../../../gateway/messageBody';
import type { Operation } from '../request/operation';
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
	optionsOf,
	type PrepareMessage,
	userMessage,
} from './messageFields';
import { messageOperation } from './messageOperation';
import { sendOptions, withSendOptions } from './sendOptions';

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
	const message = { ...fields, text: formatted(text, options, 'Text') };
	const bodyWith = (key?: string) => textBody({ ...message, idempotencyKey: key }, form);
	// Rejects additional fields that cannot be sent before any message is.
	if (fields.additionalFields) bodyWith(keyOf && 'key');
	return { ...address, body: () => bodyWith(keyOf?.({ fields: message })) };
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
				textFormat,
			]),
		),
		sendOnlyOptions(sendOptions),
	],
};
