import { InvalidInput } from './invalidInput';

/** Stands for an option that the user did not add. An option that is there must have a value. */
export const NOT_SET = Symbol('not set');

export const isMissing = (value: unknown) =>
	value === NOT_SET || value === undefined || value === null || value === '';

/** A larger whole number may have lost digits, and be the same as another one. */
export const isExact = (value: unknown): value is number =>
	Number.isSafeInteger(value) || (Number.isFinite(value) && !Number.isInteger(value));

function typeOfValue(value: unknown): string {
	if (typeof value === 'number') return 'not an exact number either';
	return `of type ${Array.isArray(value) ? 'array' : typeof value}`;
}

/** For names, keys and addresses. */
const MAX_NAME_LENGTH = 4_096;
/** For texts that people read. */
export const MAX_TEXT_LENGTH = 1_000_000;
/** For JSON that may contain a file. */
export const MAX_JSON_LENGTH = 100_000_000;

/** `field` is the name of the field in quotes. */
export function checkLength(text: string, field: string, max = MAX_NAME_LENGTH): void {
	if (text.length <= max) return;
	throw new InvalidInput(
		`${field} is longer than ${max} characters`,
		'No real value is this long. If it is an expression, check what it returns.',
	);
}

/** Undefined if the option is not set, or its text is empty. */
export function optionalText(value: unknown, label: string, max?: number): string | undefined {
	if (value === NOT_SET || value === '') return undefined;
	if (isMissing(value)) {
		throw new InvalidInput(
			`'${label}' has no value`,
			'Check what its expression returns. To leave it empty on purpose, return an empty text.',
		);
	}
	if (typeof value === 'string') {
		checkLength(value, `'${label}'`, max);
		return value;
	}
	if (isExact(value)) return String(value);
	throw new InvalidInput(
		`'${label}' is not text but ${typeOfValue(value)}`,
		'Enter text, or an expression that returns text.',
	);
}

export function requiredText(
	value: unknown,
	label: string,
	whatToDo: string,
	max?: number,
): string {
	const text = isMissing(value) ? undefined : optionalText(value, label, max);
	if (text === undefined || text.trim() === '') {
		throw new InvalidInput(`'${label}' is empty`, whatToDo);
	}
	return text;
}

interface Range {
	from: number;
	to: number;
	/** Used if the option is not set. */
	default: number;
	isInteger?: boolean;
}

/** Expressions often return digits as text. */
export const asNumber = (entered: unknown): unknown =>
	typeof entered === 'string' && /^\s*\d+(\.\d+)?\s*$/.test(entered) ? Number(entered) : entered;

/** A number from a field or an expression. */
export function numberWithin(entered: unknown, label: string, range: Range): number {
	const { from, to, isInteger } = range;
	if (entered === NOT_SET) return range.default;
	const value = asNumber(entered);
	const isNumber =
		typeof value === 'number' && (isInteger ? Number.isSafeInteger : Number.isFinite)(value);
	if (isNumber && value >= from && value <= to) return value;
	const kind = isInteger ? 'whole number' : 'number';
	throw new InvalidInput(
		`'${label}' is not a ${kind} ${to === Infinity ? `of at least ${from}` : `from ${from} to ${to}`}`,
		`Enter a ${kind} within this range, or remove the option to use ${range.default}.`,
	);
}

export function oneOf<Choice>(entered: unknown, choices: Choice[], label: string): Choice {
	const chosen = choices.find((choice) => choice === entered);
	if (chosen !== undefined) return chosen;
	throw new InvalidInput(
		`'${label}' is not one of its choices`,
		`Choose one from the list, or use an expression that returns one of: ${choices.join(', ')}.`,
	);
}

/** Words as a list or as text with commas, in upper case as gateways write statuses. */
export function upperCaseWords(entered: unknown, label: string): string[] {
	const texts: unknown[] = Array.isArray(entered) ? entered : [entered];
	const words = texts
		.flatMap((text) => (optionalText(text, label) ?? '').split(','))
		.map((word) => word.trim().toUpperCase());
	const wrong = words.find((word) => /["';|[\]{}\p{C}]/u.test(word));
	if (wrong === undefined) return words.filter((word) => word !== '');
	throw new InvalidInput(
		`'${label}' contains ${JSON.stringify(wrong)}, which is not one word`,
		'Separate the words by commas, without quotes or brackets.',
	);
}
