import {
	type INodeProperties,
	type INodePropertyOptions,
	updateDisplayOptions,
} from 'n8n-workflow';

import { InvalidInput } from '../../../gateway/invalidInput';
import { jsonObject } from '../../../gateway/json';
import { type BodyForm, verbatimBody } from '../../../gateway/messageBody';
import type { Item } from './itemBody';

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
	type: 'string',
	default: '',
	placeholder: 'e.g. order-4711',
	description:
		'The gateway drops a second message with the same key. Use what is unique to the message, e.g. an order number.',
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

export function formOf({ field }: Item): BodyForm | 'json' {
	const form = field('bodyForm', 'canonical');
	if (form === 'canonical' || form === 'legacy' || form === 'json') return form;
	throw new InvalidInput(
		"'Body Form' is none of Canonical, JSON and Legacy",
		'Choose one from the list, or let the expression give canonical, json or legacy.',
	);
}

export const verbatim = ({ field }: Item) => verbatimBody(field('body', ''));

export interface MessageOptions {
	additionalFields?: unknown;
	caption?: unknown;
	fileName?: unknown;
	idempotencyKey?: unknown;
	mimeType?: unknown;
	windowMs?: unknown;
}

export const optionsOf = ({ field }: Item) => field('options', {}) as MessageOptions;

const isMissing = (value: unknown) => value === undefined || value === null || value === '';

function kindOf(value: unknown): string {
	if (typeof value === 'number') return 'not a number either';
	return `of type ${Array.isArray(value) ? 'array' : typeof value}`;
}

/** A text that may be left out. */
export function optionalText(value: unknown, label: string): string | undefined {
	if (isMissing(value)) return undefined;
	if (typeof value === 'string') return value;
	if (typeof value === 'number' && Number.isFinite(value)) return String(value);
	throw new InvalidInput(
		`'${label}' is not text but ${kindOf(value)}`,
		'Enter text, or let the expression give text.',
	);
}

export function requiredText(value: unknown, label: string, whatToDo: string): string {
	const text = optionalText(value, label);
	if (text === undefined || text.trim() === '') {
		throw new InvalidInput(`'${label}' is empty`, whatToDo);
	}
	return text;
}

export function additionalFieldsOf({
	additionalFields: entered,
}: MessageOptions): Record<string, unknown> | undefined {
	if (isMissing(entered)) return undefined;
	return jsonObject(
		entered,
		'Additional Fields',
		'Enter a JSON object in braces, e.g. {"priority": "high"}.',
	);
}

/** What both sends have in common beside recipient and content. */
export function extras(options: MessageOptions) {
	return {
		// A key of blanks only would make every message a repeat of the first.
		idempotencyKey: optionalText(options.idempotencyKey, 'Idempotency Key')?.trim() || undefined,
		windowMs: windowMs(options.windowMs),
		additionalFields: additionalFieldsOf(options),
	};
}

function windowMs(entered: unknown): number | undefined {
	if (isMissing(entered)) return undefined;
	const isDigits = typeof entered === 'string' && /^\s*\d+\s*$/.test(entered);
	const milliseconds = isDigits ? Number(entered) : entered;
	if (Number.isSafeInteger(milliseconds) && Number(milliseconds) > 0) return Number(milliseconds);
	throw new InvalidInput(
		"'Delivery Window (Ms)' is not a whole number above 0",
		'Enter milliseconds, e.g. 3600000 for an hour, or take the option away.',
	);
}
