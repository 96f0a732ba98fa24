import {
	type INodeProperties,
	type INodePropertyOptions,
	updateDisplayOptions,
} from 'n8n-workflow';

const BODY_FORM = 'How the request body is written. The signature covers whichever form is sent.';

const CANONICAL: INodePropertyOptions = {
	name: 'Canonical',
	value: 'canonical',
	description: 'The documented field names',
};
const VERBATIM: INodePropertyOptions = {
	name: 'JSON',
	value: 'json',
	description: 'JSON text of your own, sent byte for byte',
};
const LEGACY: INodePropertyOptions = {
	name: 'Legacy',
	value: 'legacy',
	description: 'The names of older gateways: phone, message, idempotency_key, window_ms',
};

/** Shared by all operations of the resource. */
export const bodyFields: INodeProperties[] = [
	...updateDisplayOptions({ show: { resource: ['message'] } }, [
		{
			displayName: 'Body Form',
			name: 'bodyForm',
			type: 'options',
			options: [CANONICAL, VERBATIM, LEGACY],
			default: 'canonical',
			description: BODY_FORM,
			displayOptions: { show: { operation: ['send', 'sendMedia'] } },
		},
		{
			displayName: 'Body Form',
			name: 'bodyForm',
			type: 'options',
			options: [CANONICAL, VERBATIM],
			default: 'canonical',
			description: BODY_FORM,
			displayOptions: { show: { operation: ['inviteInfo', 'channelInfo'] } },
		},
	]),
	...updateDisplayOptions({ show: { resource: ['message'], bodyForm: ['json'] } }, [
		{
			displayName: 'Body',
			name: 'body',
			type: 'json',
			required: true,
			default: '',
			placeholder: 'e.g. {"chatId": "4915123456789", "type": "text", "text": "Hello"}',
			description: 'The JSON text, which is signed and sent exactly as it stands, blanks included',
		},
	]),
];

/** Visibility of a field that the node itself turns into the body. */
export const written = (operation: string) => ({
	show: { resource: ['message'], operation: [operation], bodyForm: ['canonical', 'legacy'] },
});

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

export const additionalFields: INodeProperties = {
	displayName: 'Additional Fields',
	name: 'additionalFields',
	type: 'json',
	default: '{}',
	placeholder: 'e.g. {"priority": "high"}',
	description:
		'JSON object that is merged into the body: fields that your gateway knows and this node does not',
};

export const deliveryWindow: INodeProperties = {
	displayName: 'Delivery Window (Ms)',
	name: 'windowMs',
	type: 'number',
	typeOptions: { minValue: 1, numberPrecision: 0 },
	default: 3600000,
	description: 'How long the gateway may try to deliver, in milliseconds',
};

export const idempotencyKey: INodeProperties = {
	displayName: 'Idempotency Key',
	name: 'idempotencyKey',
	type: 'options',
	// An expression may give the key itself.
	allowArbitraryValues: true,
	options: [
		{
			name: 'Automatic',
			value: 'automatic',
			description:
				'The same for every repeat of this execution, another one for every other message',
		},
		{ name: 'Off', value: 'off', description: 'No key: a repeat is a second message' },
	],
	default: 'off',
	description:
		"The gateway drops a second message with the same key. Automatic covers this node's own tries, Retry On Fail and n8n's Retry of an execution. It does not cover a message that is not the same the second time (the time of day in its text, another answer of a step before), a sub-workflow whose parent is retried, Execute Step in the editor, and retries of the node as a tool: there let an expression give what is unique to the message, e.g. the order number.",
};

export const optionsCollection = (
	operation: string,
	options: INodeProperties[],
): INodeProperties => ({
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	displayOptions: written(operation),
	options,
});

/** With JSON of the user's own, only how it is sent is left to choose. */
export const verbatimOptions = (
	operation: string,
	options: INodeProperties[],
): INodeProperties => ({
	...optionsCollection(operation, options),
	displayOptions: { show: { resource: ['message'], operation: [operation], bodyForm: ['json'] } },
});
