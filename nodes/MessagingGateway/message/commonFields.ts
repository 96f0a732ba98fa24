import { createHash } from 'crypto';

import type { INodeProperties } from 'n8n-workflow';

import {
	checkLength,
	MAX_TEXT_LENGTH,
	NOT_SET,
	requiredText,
	InvalidInput,
} from '../../../gateway/inputValues';
import { checkExact, jsonObject, jsonText, without } from '../../../gateway/json';
import { recipientKind } from '../../../gateway/text/chatId';
import { maskedNumber } from '../../../gateway/text/phoneNumber';
import { keyPrefix } from '../../../gateway/wire/guard';
import {
	chatAndKeyOf,
	identityIn,
	readKey,
	withKeyPrefix,
} from '../../../gateway/wire/messageBody';
import { choice, json, number, text } from '../fields/field';
import { missingValues } from '../fields/missingValues';
import { choiceOf, type FieldReader, namedChoice, numberOf, textOf } from '../fields/read';
import { runIdentity } from '../n8n/keyOfRun';
import type { Item } from '../operation/item';
import { steadyClock } from '../request/steadyClock';
import { isModelCall } from '../n8n/toolCalls';
import { defaultCountry, recipientOf } from './recipient';

export const additionalFields = json('additionalFields', 'Additional Fields', {
	default: '{}',
	example: '{"priority": "high"}',
})(
	'JSON object with further fields of your gateway, merged into the body.',
	'messages.md#request-body',
);

export function additionalFieldsOf({ option }: Item) {
	const entered = option('additionalFields');
	if (entered === NOT_SET || entered === '') return undefined;
	const label = additionalFields.displayName;
	const fields = jsonObject(
		entered,
		label,
		'Enter a JSON object in braces, e.g. {"priority": "high"}.',
	);
	checkExact(entered, label);
	return fields;
}

const deliveryWindow = number('deliveryWindow', 'Delivery Window (Minutes)', {
	...{ range: [0.01, 525_600], default: 60 },
})(
	'How long the gateway may try to deliver the message, at most 525600 (a year). With a window, it defers messages while the session is offline.',
	'deferred.md#defer-a-message',
);

const idempotencyKey = choice(
	'idempotencyKey',
	'Idempotency Key',
	// The editor preselects this choice when the user adds the option. Without the option, there is no key.
	'automatic',
	[
		[
			'automatic',
			'Automatic',
			'Stays the same when n8n repeats this execution. In calls by an AI model: once per person and text on a UTC day.',
		],
		['off', 'Off', 'No key: a repeated message arrives twice'],
		[
			'oncePerDay',
			'Once per Person and Day',
			'One message per person, Purpose and UTC day, from any workflow or process',
		],
		[
			'oncePerText',
			'Once per Person and Text',
			'The same text or file reaches a person once per Purpose, from any workflow or process',
		],
	],
	{
		// This lets expressions return the key itself.
		allowArbitraryValues: true,
		builderHint: {
			propertyHint:
				'Add it for messages that must not arrive twice. Use an expression with a value that is unique per message, such as an order number, or oncePerDay with keyPurpose, or oncePerText.',
		},
	},
)(
	'The gateway drops a second message with the same key. Automatic covers retries of the node, Retry On Fail and Retry of an execution; for everything else, use an expression such as an order number, or once per person.',
	'sending.md#idempotency-keys',
);

const keyPurpose = text('keyPurpose', 'Purpose', {
	example: 'reminder',
	displayOptions: { show: { idempotencyKey: ['oncePerDay', 'oncePerText'] } },
})(
	'What the message is for. Once per Person counts the messages of each purpose alone.',
	'sending.md#idempotency-keys',
);

const OWN_KEY =
	'Use an expression that returns a unique value, e.g. an order number, or choose one of the list.';

/** Returns undefined if the option is not set. */
export function keyOption(option: FieldReader): KeyChoice | undefined {
	const entered = option('idempotencyKey');
	if (entered === NOT_SET) return undefined;
	const choice = namedChoice(idempotencyKey, entered);
	if (choice) return choice;
	const text = requiredText(entered, 'Idempotency Key', OWN_KEY).trim();
	return { idempotencyKey: readKey(text, "'Idempotency Key'") };
}

type KeyChoice = 'automatic' | 'off' | 'oncePerDay' | 'oncePerText' | { idempotencyKey: string };

interface MessageContent {
	fields: Record<string, unknown>;
	file?: Uint8Array;
}

/**
 * Returns what computes the key of a message from its content, for a choice that says when a message is the same. An automatic key stays
 * the same when n8n repeats an execution, because the repetition keeps the start time and the resume token of the first one. n8n 1 has no
 * such token, and two executions can start in the same millisecond. So the key also depends on input and content: losing a message is
 * worse than sending it twice.
 */
function keyComputer({ context, index, input, option }: Item, chatId: string, chosen: KeyChoice) {
	const purpose = textOf(keyPurpose, option)?.trim();
	if (chosen === 'oncePerDay' && !purpose) throw noPurpose();
	const person = [identityIn(chatId) ?? chatId, purpose];
	const day = new Date(steadyClock.date()).toISOString().slice(0, 10);
	return ({ fields, file }: MessageContent) => {
		const content = without(fields, 'chatId', 'windowMs');
		if (chosen === 'oncePerDay') return digestKey([...person, day]);
		if (chosen === 'oncePerText') return digestKey([...person, content], file);
		if (isModelCall(context)) return digestKey([...person, day, content], file);
		return digestKey([...runIdentity(context), index, input.json, fields], file);
	};
}

/** Returns a key that every process, execution and model computes for the same values, so the gateway drops what a second one sends. */
function digestKey(values: unknown[], file?: Uint8Array): string {
	const text = jsonText(
		values,
		'Idempotency Key',
		'The item contains a value that JSON does not allow. Use an expression that returns the key.',
	);
	const digest = createHash('sha256').update(String(text));
	if (file) digest.update(file);
	return `n8n-${digest.digest('hex').slice(0, 40)}`;
}

const noPurpose = () =>
	new InvalidInput(
		"'Idempotency Key' is Once per Person and Day, and the option 'Purpose' is missing",
		"Add 'Purpose' and enter what the messages are for, e.g. reminder. Without it, this message and one of another workflow would replace each other.",
	);

// The editor preselects Markdown when the user adds the option. Without the option, the text is sent as it is.
const textFormat = choice('textFormat', 'Text Format', 'markdown', [
	['asIs', 'As Is', 'The text is sent unchanged'],
	[
		'markdown',
		'Markdown',
		'Markdown becomes the formatting of chats, e.g. **bold** becomes *bold*',
	],
])('How the text is written. Choose Markdown for texts of AI models.', 'messages.md#markdown');

/** Returns a text in the formatting of chats. `label` is the field that contains it, for error messages. */
export function formattedText(entered: string, { option }: Item, label: string): string {
	if (choiceOf(textFormat, option, 'asIs') === 'asIs') return entered;
	// The converter loads with the first message that needs it, so that loading the package stays fast.
	const { chatText } =
		require('../../../gateway/text/markdown') as typeof import('../../../gateway/text/markdown');
	const converted = chatText(entered);
	checkLength(converted, `'${label}', converted from Markdown,`, MAX_TEXT_LENGTH);
	return converted;
}

// The editor preselects Legacy when the user adds the option. Without the option, the names are the documented ones.
const fieldNames = choice('fieldNames', 'Field Names', 'legacy', [
	['documented', 'Documented', 'The names of the API document, e.g. chatId and text'],
	['legacy', 'Legacy', 'Those of older gateways: phone, message, idempotency_key, window_ms'],
])('The names of the fields in the request.', 'messages.md#request-body');

export const messageOptions: INodeProperties[] = [
	...[additionalFields, defaultCountry, deliveryWindow, fieldNames, idempotencyKey],
	...[missingValues, keyPurpose, textFormat],
];

const masked = (to: string) =>
	recipientKind(to) === 'person' ? maskedNumber(to.replace('@c.us', '')) : to;

export function commonFields(item: Item) {
	const { testRecipient, credentials = {}, option } = item;
	const names = choiceOf(fieldNames, option, 'documented');
	const windowMs = Math.round(numberOf(deliveryWindow, option, 0) * 60_000) || undefined;
	const entered = additionalFieldsOf(item);
	const chosenKey = keyOption(option);
	const { id: chatId, name } = recipientOf(item);
	const to = testRecipient ?? chatId;
	const prefix = keyPrefix(credentials, to);
	const added = entered && withKeyPrefix(entered, prefix);
	const { chat, enteredKey: keyOfFields } = chatAndKeyOf({ ...added, chatId: to });
	const isUsual = isModelCall(item.context) && keyOfFields === undefined;
	const chosen = chosenKey ?? (isUsual ? 'automatic' : 'off');
	const own = typeof chosen === 'object' ? prefix + chosen.idempotencyKey : undefined;
	const compute = keyComputer(item, chatId, chosen);
	let computed: string | undefined;
	// All attempts have the same key, although each may load a different file, because the gateway recognizes a retry by its key.
	const idempotencyKeyOf = (content: MessageContent) =>
		own ?? (computed ??= prefix + compute(content));
	const enteredKey = keyOfFields ?? own;
	return {
		fields: { chatId: to, windowMs, additionalFields: added },
		chatAndKey: {
			...{ chat, hasKey: chosen !== 'off' || enteredKey !== undefined, enteredKey },
			testRecipient,
		},
		/** Names the actual recipient above the text of a message that goes to the test recipient. */
		heading: testRecipient === undefined ? '' : `To ${name ?? masked(chatId)}:\n`,
		fieldNames: names,
		/** Returns the key for a message's content. Is undefined if the option is off; the additional fields may still contain a key. */
		idempotencyKeyOf: chosen === 'off' ? undefined : idempotencyKeyOf,
		/** Stands for a key that needs the file, which is not loaded yet. */
		sampleKey: chosen === 'off' ? undefined : `${prefix}key`,
	};
}
