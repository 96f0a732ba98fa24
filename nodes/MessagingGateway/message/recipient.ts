import type { INodeProperties } from 'n8n-workflow';

export const recipient: INodeProperties = {
	displayName: 'Chat ID',
	name: 'chatId',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. +49 151 23456789',
	description:
		'Who gets the message: a phone number with its country code, or an ID that ends in @c.us (person), @g.us (group) or @newsletter (channel)',
};
