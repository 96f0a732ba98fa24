import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { COUNTRIES } from '../../../gateway/text/countries';

const BUILT: INodePropertyOptions = {
	name: 'Built From Fields',
	value: 'canonical',
	description: 'From the fields and options of this node',
};
const LEGACY: INodePropertyOptions = {
	name: 'Built From Fields (Legacy Names)',
	value: 'legacy',
	description: 'With the names of older gateways: phone, message, idempotency_key, window_ms',
};
const CUSTOM_JSON: INodePropertyOptions = {
	name: 'Custom JSON',
	value: 'json',
	description: 'Your own JSON text, sent byte for byte',
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
	displayName: 'Request Body',
	name: 'bodyForm',
	type: 'options',
	options: [BUILT, LEGACY, CUSTOM_JSON],
	default: 'canonical',
	description: 'How the request body is built. The signature covers the body in every case.',
};

/** For requests that have no legacy names. */
export const lookupBodyForm: INodeProperties = { ...bodyForm, options: [BUILT, CUSTOM_JSON] };

/** For messages to which the node adds something. */
export const builtBodyForm: INodeProperties = { ...bodyForm, options: [BUILT, LEGACY] };

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

export const defaultCountry: INodeProperties = {
	displayName: 'Default Country',
	name: 'defaultCountry',
	type: 'options',
	// For expressions that return the code, in upper or lower case.
	allowArbitraryValues: true,
	options: Array.from(COUNTRIES, ([value, name]) => ({ name, value })),
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
	displayName: 'Delivery Window',
	name: 'deliveryWindow',
	type: 'fixedCollection',
	default: { values: { amount: 1, unit: 'hours' } },
	options: [
		{
			displayName: 'Delivery Window',
			name: 'values',
			values: [
				{
					displayName: 'Amount',
					name: 'amount',
					type: 'number',
					typeOptions: { minValue: 0 },
					// n8n 1.123 does not store an option in which all values are defaults.
					default: 0,
					description: 'How many of the unit',
				},
				{
					displayName: 'Unit',
					name: 'unit',
					type: 'options',
					options: [
						{ name: 'Seconds', value: 'seconds' },
						{ name: 'Minutes', value: 'minutes' },
						{ name: 'Hours', value: 'hours' },
						{ name: 'Days', value: 'days' },
					],
					default: 'hours',
				},
			],
		},
	],
	description:
		'How long the gateway may try to deliver the message. With a window, a gateway defers messages while the session is offline instead of rejecting them.',
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
	// Preselected when the user adds the option. Without it, there is no key.
	default: 'automatic',
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

export const optionsCollection = (options: INodeProperties[]): INodeProperties => ({
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
