import { endpoints } from '../../../gateway/wire/endpoints';
import { MAX_TEXT_LENGTH, requiredText } from '../../../gateway/inputValues';
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
import { bodyFormOf, customJsonMessage, formatted, optionsOf } from './messageFields';
import { messageOperation } from './messageOperation';
import type { PrepareMessage } from './preparedMessage';
import { sendOptions, withSendOptions } from './sendOptions';
import { splitLongText, textMessage } from './textMessage';

const prepare: PrepareMessage = (item) => {
	const form = bodyFormOf(item);
	if (form === 'json') return customJsonMessage(item);
	const options = optionsOf(item);
	return textMessage(item, form, options, () => {
		const text = requiredText(
			item.field('text'),
			'Text',
			'Enter the text of the message.',
			MAX_TEXT_LENGTH,
		);
		return formatted(text, options, 'Text');
	});
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
