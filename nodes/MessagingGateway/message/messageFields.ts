import { chatId, country } from '../../../gateway/text/chatId';
import { InvalidInput } from '../../../gateway/invalidInput';
import {
	checkLength,
	MAX_TEXT_LENGTH,
	NOT_SET,
	oneOf,
	requiredText,
} from '../../../gateway/inputValues';
import { isObject, jsonObject } from '../../../gateway/json';
import {
	type BodyForm,
	chatAndKeyOf,
	customJson,
	plannedChatAndKey,
} from '../../../gateway/wire/messageBody';
import type { MessageContent } from './automaticKey';
import type { InputItem } from './inputItem';
import type { PreparedMessage } from './preparedMessage';

export const JSON_HEADERS = { 'Content-Type': 'application/json' };

export const bodyFormOf = ({ field }: InputItem) =>
	oneOf<BodyForm | 'json'>(
		field('bodyForm', 'canonical'),
		['canonical', 'legacy', 'json'],
		'Request Body',
	);

/** A message whose body the user wrote. It is parsed only to find the chat and the key. */
export function customJsonMessage({ field }: InputItem): PreparedMessage {
	const { text, fields } = customJson(field('body', ''));
	return { ...chatAndKeyOf(fields), parts: [{ json: text }] };
}

export type Options = Record<string, unknown>;

export const optionsOf = ({ field }: InputItem) => field('options', {}) as Options;

export function additionalFieldsOf(options: Options) {
	const { additionalFields } = options;
	if (!Object.hasOwn(options, 'additionalFields') || additionalFields === '') return undefined;
	return jsonObject(
		additionalFields,
		'Additional Fields',
		'Enter a JSON object in braces, e.g. {"priority": "high"}.',
	);
}

/** A text as chats show it. `label` is the field that it is from. */
export function formatted(text: string, options: Options, label: string): string {
	if (!Object.hasOwn(options, 'textFormat')) return text;
	const format = oneOf(options.textFormat, ['asIs', 'markdown'], 'Text Format');
	if (format === 'asIs') return text;
	// Not loaded before a message needs it.
	const { chatText } =
		require('../../../gateway/text/markdown') as typeof import('../../../gateway/text/markdown');
	const converted = chatText(text);
	checkLength(converted, `'${label}', converted from Markdown,`, MAX_TEXT_LENGTH);
	return converted;
}

/** The fields that Send and Send Media have in common. */
export function commonFields(item: InputItem, options: Options) {
	const to = chatIdOf(item, options);
	const additionalFields = additionalFieldsOf(options);
	const keyOf = idempotencyKey(item, options);
	return {
		fields: { chatId: to, windowMs: windowMs(options), additionalFields },
		chatAndKey: plannedChatAndKey(to, keyOf !== undefined, additionalFields),
		keyOf,
	};
}

/** The recipient as the gateway gets it. */
export function chatIdOf({ field }: InputItem, options: Options): string {
	const isSet = Object.hasOwn(options, 'defaultCountry');
	return chatId(field('chatId'), country(isSet ? options.defaultCountry : NOT_SET));
}

/** Returns the key for a message's content; undefined if the message has none, which is the default. */
function idempotencyKey(
	item: InputItem,
	options: Options,
): ((content: MessageContent) => string) | undefined {
	const { idempotencyKey: entered } = options;
	if (!Object.hasOwn(options, 'idempotencyKey') || entered === 'off') return undefined;
	if (entered === 'automatic') return item.automaticKey;
	const key = requiredText(
		entered,
		'Idempotency Key',
		'Use an expression that returns a unique value, e.g. an order number, or choose Automatic or Off.',
	);
	return () => key.trim();
}

const UNITS_MS = { seconds: 1_000, minutes: 60_000, hours: 3_600_000, days: 86_400_000 };
type Unit = keyof typeof UNITS_MS;

function windowMs(options: Options): number | undefined {
	if (!Object.hasOwn(options, 'deliveryWindow')) return undefined;
	const { deliveryWindow } = options;
	const values = isObject(deliveryWindow) ? deliveryWindow.values : undefined;
	const { amount: entered, unit } = isObject(values) ? values : {};
	const isDigits = typeof entered === 'string' && /^\s*\d+(\.\d+)?\s*$/.test(entered);
	const amount = isDigits ? Number(entered) : entered;
	if (typeof amount === 'number' && amount > 0) {
		const units = Object.keys(UNITS_MS) as Unit[];
		const milliseconds = Math.ceil(amount * UNITS_MS[oneOf(unit, units, 'Delivery Window Unit')]);
		if (Number.isSafeInteger(milliseconds)) return milliseconds;
	}
	throw new InvalidInput(
		"'Delivery Window' is not a number above 0",
		'Enter how long the gateway may try to deliver the message, e.g. 1 hour, or remove the option.',
	);
}
