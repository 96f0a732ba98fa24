import { type INodeProperties, updateDisplayOptions } from 'n8n-workflow';

import { chatId } from '../../../gateway/chatId';
import { textBody } from '../../../gateway/messageBody';
import { requiredText } from '../enteredValues';
import {
	additionalFields,
	deliveryWindow,
	idempotencyKey,
	optionsCollection,
	recipient,
	verbatimOptions,
	written,
} from './bodyFields';
import { extras, formOf, optionsOf, verbatimMessage } from './fieldValues';
import type { Opener } from './itemBody';
import { concurrency, jitter, maxTries, maxWait, messagesPerMinute } from './sendSettings';

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

export const options = [
	optionsCollection('send', [
		additionalFields,
		concurrency,
		deliveryWindow,
		idempotencyKey,
		jitter,
		maxTries,
		maxWait,
		messagesPerMinute,
	]),
	verbatimOptions('send', [concurrency, jitter, maxTries, maxWait, messagesPerMinute]),
];

export const open: Opener = (item) => {
	const form = formOf(item);
	if (form === 'json') return verbatimMessage(item);
	const { message, keyOf, ...address } = extras(
		item,
		chatId(item.field('chatId')),
		optionsOf(item),
		form,
	);
	const text = requiredText(item.field('text'), 'Text', 'Enter the text of the message.');
	const fields = { ...message, text };
	return {
		...address,
		body: () => textBody({ ...fields, idempotencyKey: keyOf?.({ fields }) }, form),
	};
};
