import type { INodeProperties } from 'n8n-workflow';

import { InvalidInput } from '../../../gateway/invalidInput';
import { checkLength, MAX_TEXT_LENGTH, NOT_SET, requiredText } from '../../../gateway/inputValues';
import { jsonObject } from '../../../gateway/json';
import { chatId, country } from '../../../gateway/text/chatId';
import { COUNTRIES } from '../../../gateway/text/countries';
import { chatAndKeyOf, customJson, plannedChatAndKey } from '../../../gateway/wire/messageBody';
import { duration } from '../fields/duration';
import { choice, type Entry, group, json, options, shownFor, text } from '../fields/field';
import { choiceOf, type Read, valuesOf } from '../fields/read';
import type { MessageContent } from './automaticKey';
import type { InputItem } from './inputItem';
import type { PreparedMessage } from './preparedMessage';

export const JSON_HEADERS = { 'Content-Type': 'application/json' };

const BODY_FORMS: Record<'canonical' | 'legacy' | 'json', [name: string, description: string]> = {
	canonical: ['Built From Fields', 'From the fields and options of this node'],
	legacy: [
		'Built From Fields (Legacy Names)',
		'With the names of older gateways: phone, message, idempotency_key, window_ms',
	],
	json: ['Custom JSON', 'Your own JSON text, sent byte for byte'],
};

const bodyFormOf = <Form extends keyof typeof BODY_FORMS>(...forms: Form[]) =>
	choice<Form>(
		'bodyForm',
		'Request Body',
		forms[0]!,
		forms.map((form): Entry<Form> => [form, BODY_FORMS[form][0], BODY_FORMS[form][1]]),
	)('How the request body is built. The signature covers the body in every case.');
export const bodyForm = bodyFormOf('canonical', 'legacy', 'json');
/** For requests that have no legacy names. */
export const lookupBodyForm = bodyFormOf('canonical', 'json');
/** For messages to which the node adds something. */
export const builtBodyForm = bodyFormOf('canonical', 'legacy');

const BUILT_BY_NODE = { bodyForm: ['canonical', 'legacy'] };
const BUILT_BY_USER = { bodyForm: ['json'] };

const body = json('body', 'Body', {
	required: true,
	example: '{"chatId": "4915123456789", "type": "text", "text": "Hello"}',
})('The JSON text, signed and sent exactly as it is, including spaces');

/** If the user writes the body, only the options for sending it remain. */
export const withBody = (
	form: INodeProperties,
	fields: INodeProperties[],
	bodyOptions: INodeProperties[],
	sendOptions: INodeProperties[] = [],
): INodeProperties[] => [
	...shownFor(BUILT_BY_NODE, ...fields),
	form,
	...shownFor(BUILT_BY_USER, body),
	...shownFor(BUILT_BY_NODE, options([...bodyOptions, ...sendOptions])),
	...(sendOptions.length > 0 ? shownFor(BUILT_BY_USER, options(sendOptions)) : []),
];

/** A message whose body the user wrote. It is parsed only to find the chat and the key. */
export function customJsonMessage(item: InputItem): PreparedMessage {
	const { text: bodyText, fields } = customJson(item.field('body', ''));
	return { ...chatAndKeyOf(fields), parts: [{ json: bodyText }] };
}

export const recipient = text('chatId', 'Chat ID', {
	required: true,
	example: '+49 151 23456789',
})(
	'The recipient: a phone number with its country code, or an ID that ends in @c.us (person), @g.us (group) or @newsletter (channel). For numbers without a country code, add the option Default Country.',
);

const defaultCountry = choice(
	'defaultCountry',
	'Default Country',
	'',
	[...COUNTRIES],
	// For expressions that return the code, in upper or lower case.
	{ allowArbitraryValues: true },
)(
	'The country of numbers without a country code, e.g. 0151 23456789. Numbers with + or 00 keep their own. An expression must return a code of two letters such as DE.',
);

/** The recipient as the gateway gets it. */
export const chatIdOf = ({ field }: InputItem, option: Read): string =>
	chatId(field('chatId'), country(option('defaultCountry')));

export const additionalFields = json('additionalFields', 'Additional Fields', {
	default: '{}',
	example: '{"priority": "high"}',
})('JSON object with further fields of your gateway, merged into the body');

export function additionalFieldsOf(option: Read) {
	const entered = option('additionalFields');
	if (entered === NOT_SET || entered === '') return undefined;
	return jsonObject(
		entered,
		'Additional Fields',
		'Enter a JSON object in braces, e.g. {"priority": "high"}.',
	);
}

// The amount is 0, because n8n 1.123 does not store an option in which all values are defaults.
const windowLength = duration('Delivery Window', {
	names: ['amount', 'unit'],
	units: ['seconds', 'minutes', 'hours', 'days'],
	preset: 0,
});

const deliveryWindow = group(
	'deliveryWindow',
	'Delivery Window',
	{ values: { amount: 1, unit: 'hours' } },
	['values', 'Delivery Window'],
	windowLength.fields,
)(
	'How long the gateway may try to deliver the message. With a window, a gateway defers messages while the session is offline instead of rejecting them.',
);

function windowMs(option: Read): number | undefined {
	if (option('deliveryWindow') === NOT_SET) return undefined;
	const milliseconds = windowLength.read(valuesOf(deliveryWindow, option));
	if (milliseconds !== undefined) return milliseconds;
	throw new InvalidInput(
		"'Delivery Window' is not a number above 0",
		'Enter how long the gateway may try to deliver the message, e.g. 1 hour, or remove the option.',
	);
}

const idempotencyKey = choice(
	'idempotencyKey',
	'Idempotency Key',
	// Preselected when the user adds the option. Without it, there is no key.
	'automatic',
	[
		['automatic', 'Automatic', 'Stays the same when n8n repeats this execution'],
		['off', 'Off', 'No key: a repeated message arrives twice'],
	],
	// For expressions that return the key itself.
	{ allowArbitraryValues: true },
)(
	"The gateway drops a second message with the same key. Automatic covers the node's retries, Retry On Fail and Retry of an execution; for everything else, use an expression such as an order number.",
);

/** Returns the key for a message's content; undefined if the message has none, which is the default. */
function idempotencyKeyOf(
	item: InputItem,
	option: Read,
): ((content: MessageContent) => string) | undefined {
	const entered = option('idempotencyKey');
	if (entered === NOT_SET || entered === 'off') return undefined;
	if (entered === 'automatic') return item.automaticKey;
	const key = requiredText(
		entered,
		'Idempotency Key',
		'Use an expression that returns a unique value, e.g. an order number, or choose Automatic or Off.',
	);
	return () => key.trim();
}

const textFormat = choice('textFormat', 'Text Format', 'asIs', [
	['asIs', 'As Is', 'The text is sent unchanged'],
	[
		'markdown',
		'Markdown',
		'Markdown becomes the formatting of chats, e.g. **bold** becomes *bold*',
	],
])('How the text is written. Choose Markdown for texts of AI models.');

/** A text as chats show it. `label` is the field that it is from. */
export function formatted(entered: string, option: Read, label: string): string {
	if (choiceOf(textFormat, option) === 'asIs') return entered;
	// Not loaded before a message needs it.
	const { chatText } =
		require('../../../gateway/text/markdown') as typeof import('../../../gateway/text/markdown');
	const converted = chatText(entered);
	checkLength(converted, `'${label}', converted from Markdown,`, MAX_TEXT_LENGTH);
	return converted;
}

/** The options that all messages have in common, besides those for sending. */
export const messageOptions: INodeProperties[] = [
	...[additionalFields, defaultCountry, deliveryWindow, idempotencyKey, textFormat],
];

/** The fields that all messages have in common. */
export function commonFields(item: InputItem, option: Read) {
	const to = chatIdOf(item, option);
	const added = additionalFieldsOf(option);
	const keyOf = idempotencyKeyOf(item, option);
	return {
		fields: { chatId: to, windowMs: windowMs(option), additionalFields: added },
		chatAndKey: plannedChatAndKey(to, keyOf !== undefined, added),
		keyOf,
	};
}
