import { type INodeProperties, updateDisplayOptions } from 'n8n-workflow';

import { chatId } from '../../../gateway/chatId';
import { textBody } from '../../../gateway/messageBody';
import {
	additionalFields,
	deliveryWindow,
	idempotencyKey,
	optionsCollection,
	recipient,
	written,
} from './bodyFields';
import { extras, formOf, optionsOf, requiredText, verbatim } from './fieldValues';
import type { BodyBuilder } from './itemBody';

export const properties: INodeProperties[] = updateDisplayOptions(written('send'), [
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
]);

export const options = optionsCollection('send', [
	additionalFields,
	deliveryWindow,
	idempotencyKey,
]);

export const body: BodyBuilder = (item) => {
	const form = formOf(item);
	if (form === 'json') return verbatim(item);
	return textBody(
		{
			chatId: chatId(item.field('chatId')),
			text: requiredText(item.field('text'), 'Text', 'Enter the text of the message.'),
			...extras(optionsOf(item)),
		},
		form,
	);
};
