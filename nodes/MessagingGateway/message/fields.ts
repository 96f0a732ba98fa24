import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { COUNTRIES } from '../../../gateway/phoneNumber';

const CANONICAL: INodePropertyOptions = {
	name: 'Canonical',
	value: 'canonical',
	description: 'The documented field names',
};
const JSON_TEXT: INodePropertyOptions = {
	name: 'JSON',
	value: 'json',
	description: 'Your own JSON text, sent byte for byte',
};
const LEGACY: INodePropertyOptions = {
	name: 'Legacy',
	value: 'legacy',
	description: 'The names of older gateways: phone, message, idempotency_key, window_ms',
};

const BUILT_BY_NODE = { show: { bodyForm: ['canonical', 'legacy'] } };
const BUILT_BY_USER = { show: { bodyForm: ['json'] } };

/** Shown unless the user writes the body. */
export const builtByNode = (properties: INodeProperties[]): INodeProperties[] =>
	properties.map((property) => ({
		...property,
		displayOptions: { show: { ...BUILT_BY_NODE.show, ...property.displayOptions?.show } },
	}));

export const bodyForm: INodeProperties = {
	displayName: 'Body Form',
	name: 'bodyForm',
	type: 'options',
	options: [CANONICAL, JSON_TEXT, LEGACY],
	default: 'canonical',
	description: 'How the request body is built. The signature covers the body in every form.',
};

/** For requests that have no legacy names. */
export const lookupBodyForm: INodeProperties = { ...bodyForm, options: [CANONICAL, JSON_TEXT] };

export const body: INodeProperties = {
	displayName: 'Body',
	name: 'body',
	type: 'json',
	required: true,
	default: '',
	placeholder: 'e.g. {"chatId": "4915123456789", "type": "text", "text": "Hello"}',
	description: 'The JSON text, signed and sent exactly as it is, including spaces',
	displayOptions: BUILT_BY_USER,
};

export const recipient: INodeProperties = {
	displayName: 'Chat ID',
	name: 'chatId',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. +49 151 23456789',
	description:
		'The recipient: a phone number with its country code, or an ID that ends in @c.us (person), @g.us (group) or @newsletter (channel). For numbers without a country code, add the option Default Country.',
};

const countryNames = new Intl.DisplayNames('en', { type: 'region' });

export const defaultCountry: INodeProperties = {
	displayName: 'Default Country',
	name: 'defaultCountry',
	type: 'options',
	// For expressions that return the code, in upper or lower case.
	allowArbitraryValues: true,
	options: COUNTRIES.map((code) => ({ name: countryNames.of(code) ?? code, value: code })).sort(
		(a, b) => a.name.localeCompare(b.name, 'en'),
	),
	default: '',
	description:
		'The country of numbers without a country code, e.g. 0151 23456789. Numbers with + or 00 keep their own. An expression must return a code of two letters such as DE.',
};

export const additionalFields: INodeProperties = {
	displayName: 'Additional Fields',
	name: 'additionalFields',
	type: 'json',
	default: '{}',
	placeholder: 'e.g. {"priority": "high"}',
	description: 'JSON object with further fields of your gateway, merged into the body',
};

export const deliveryWindow: INodeProperties = {
	displayName: 'Delivery Window (Ms)',
	name: 'windowMs',
	type: 'number',
	typeOptions: { minValue: 1, numberPrecision: 0 },
	default: 3600000,
	description: 'How long the gateway may try to deliver the message, in milliseconds',
};

export const idempotencyKey: INodeProperties = {
	displayName: 'Idempotency Key',
	name: 'idempotencyKey',
	type: 'options',
	// For expressions that return the key itself.
	allowArbitraryValues: true,
	options: [
		{
			name: 'Automatic',
			value: 'automatic',
			description: 'Stays the same when n8n repeats this execution',
		},
		{ name: 'Off', value: 'off', description: 'No key: a repeated message arrives twice' },
	],
	default: 'off',
	description:
		"The gateway drops a second message with the same key. Automatic covers the node's retries, Retry On Fail and Retry of an execution; for everything else, use an expression such as an order number.",
};

export const textFormat: INodeProperties = {
	displayName: 'Text Format',
	name: 'textFormat',
	type: 'options',
	options: [
		{ name: 'As Is', value: 'asIs', description: 'The text is sent unchanged' },
		{
			name: 'Markdown',
			value: 'markdown',
			description: 'Markdown becomes the formatting of chats, e.g. **bold** becomes *bold*',
		},
	],
	default: 'asIs',
	description: 'How the text is written. Choose Markdown for texts of AI models.',
};

const optionsCollection = (options: INodeProperties[]): INodeProperties => ({
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	options,
});

export const bodyOptions = (options: INodeProperties[]): INodeProperties => ({
	...optionsCollection(options),
	displayOptions: BUILT_BY_NODE,
});

/** If the user writes the body, only the options for sending it remain. */
export const sendOnlyOptions = (options: INodeProperties[]): INodeProperties => ({
	...optionsCollection(options),
	displayOptions: BUILT_BY_USER,
});
