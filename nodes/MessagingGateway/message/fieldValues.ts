import { InvalidInput } from '../../../gateway/invalidInput';
import { jsonObject } from '../../../gateway/json';
import {
	addressOf,
	addressOfMessage,
	type BodyForm,
	verbatim,
	verbatimBody,
} from '../../../gateway/messageBody';
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

interface Bounds {
	from: number;
	to: number;
	otherwise: number;
	isWhole?: boolean;
}

/** A number, as the field or an expression gives it. */
export function numberIn(
	entered: unknown,
	label: string,
	{ from, to, otherwise, isWhole }: Bounds,
): number {
	if (isMissing(entered)) return otherwise;
	const isDigits = typeof entered === 'string' && /^\s*\d+(\.\d+)?\s*$/.test(entered);
	const value = isDigits ? Number(entered) : entered;
	const isNumber = typeof value === 'number' && (isWhole ? Number.isSafeInteger(value) : true);
	if (isNumber && value >= from && value <= to) return value;
	const kind = isWhole ? 'whole number' : 'number';
	throw new InvalidInput(
		`'${label}' is not a ${kind} from ${from} to ${to}`,
		`Enter a ${kind} in these bounds, or take the option away: it is then ${otherwise}.`,
	);
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
