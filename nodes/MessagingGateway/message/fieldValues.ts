import { InvalidInput } from '../../../gateway/invalidInput';
import { jsonObject } from '../../../gateway/json';
import {
	addressOf,
	addressOfMessage,
	type BodyForm,
	verbatim,
	verbatimBody,
} from '../../../gateway/messageBody';
import { isMissing, requiredText } from '../enteredValues';
import type { Content } from './automaticKey';
import type { Item, Outgoing } from './itemBody';

export function formOf({ field }: Item): BodyForm | 'json' {
	const form = field('bodyForm', 'canonical');
	if (form === 'canonical' || form === 'legacy' || form === 'json') return form;
	throw new InvalidInput(
		"'Body Form' is none of Canonical, JSON and Legacy",
		'Choose one from the list, or let the expression give canonical, json or legacy.',
	);
}

export const verbatimBodyOf = ({ field }: Item) => verbatimBody(field('body', ''));

/** Text of the user's own, looked into only for where it goes. */
export function verbatimMessage({ field }: Item): Outgoing {
	const { text, fields } = verbatim(field('body', ''));
	const { chat = '', isKeyed } = addressOf(fields);
	return { chat, isRepeatable: isKeyed, body: () => Buffer.from(text) };
}

export interface MessageOptions {
	additionalFields?: unknown;
	caption?: unknown;
	concurrency?: unknown;
	fileName?: unknown;
	idempotencyKey?: unknown;
	jitter?: unknown;
	maxFileSize?: unknown;
	maxTries?: unknown;
	maxWait?: unknown;
	messagesPerMinute?: unknown;
	mimeType?: unknown;
	windowMs?: unknown;
}

export const optionsOf = ({ field }: Item) => field('options', {}) as MessageOptions;

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
export function extras(item: Item, chatId: string, options: MessageOptions, form: BodyForm) {
	const message = {
		chatId,
		windowMs: windowMs(options.windowMs),
		additionalFields: additionalFieldsOf(options),
	};
	const keyOf = idempotencyKey(item, options);
	const key = keyOf && 'in place of a key';
	const { chat = '', isKeyed } = addressOfMessage({ ...message, idempotencyKey: key }, form);
	return { message, keyOf, chat, isRepeatable: isKeyed };
}

/** How to come by the key, once all that is sent is at hand; undefined where none is wanted. */
function idempotencyKey(
	item: Item,
	{ idempotencyKey: chosen = 'off' }: MessageOptions,
): ((content: Content) => string) | undefined {
	if (chosen === 'off') return undefined;
	if (chosen === 'automatic') return item.automaticKey;
	const key = requiredText(
		chosen,
		'Idempotency Key',
		'Let the expression give what is unique to the message, e.g. an order number, or choose Automatic or Off.',
	);
	return () => key.trim();
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
