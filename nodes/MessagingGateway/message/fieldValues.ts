import { InvalidInput } from '../../../gateway/invalidInput';
import { jsonObject } from '../../../gateway/json';
import { type BodyForm, verbatimBody } from '../../../gateway/messageBody';
import type { Item } from './itemBody';

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
