/** A value that the user entered cannot be sent. The message names the field, and the description says what to do. */
export class InvalidInput extends Error {
	constructor(
		message: string,
		readonly description: string,
		/** Set if the same input may be valid later, such as a file that cannot be downloaded now. */
		readonly temporary?: { requestedWaitMs?: number },
		/** The cause, for workflows, if it is not the usual one of an invalid input. */
		readonly causeName?: string,
	) {
		super(message);
		this.name = 'InvalidInput';
	}
}

/** The credential, or an option of the whole run, cannot be used. The messages themselves may be valid. */
export class InvalidSetup extends Error {
	constructor(cause: unknown) {
		super('', { cause });
	}
}

/** Stands for an option that the user did not add. An option that the user added must have a value. */
export const NOT_SET = Symbol('not set');

export const isMissing = (value: unknown) =>
	value === NOT_SET || value === undefined || value === null || value === '';

/** Whether a number still has the digits that were entered. Whole numbers beyond 2^53 lose digits, so two of them may become equal. */
export const isExact = (value: unknown): value is number =>
	Number.isSafeInteger(value) || (Number.isFinite(value) && !Number.isInteger(value));

function typeOfValue(value: unknown): string {
	if (typeof value === 'number') return 'not an exact number either';
	return `of type ${Array.isArray(value) ? 'array' : typeof value}`;
}

const MAX_NAME_LENGTH = 4_096;
export const MAX_TEXT_LENGTH = 1_000_000;
/** The maximum length of JSON, which may contain a file. */
export const MAX_JSON_LENGTH = 100_000_000;

/** Throws InvalidInput if a text is too long. `field` is the name of the field, already in quotes. */
export function checkLength(text: string, field: string, max = MAX_NAME_LENGTH): void {
	if (text.length <= max) return;
	throw new InvalidInput(
		`${field} is longer than ${max} characters`,
		'No real value is this long. If it is an expression, check what it returns.',
	);
}

/** Returns the text of an option; undefined if the option is not set or its text is empty. */
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
	default: number;
	isInteger?: boolean;
}

/** Converts digits that are text to a number, because expressions often return them. Returns any other value unchanged. */
export const asNumber = (entered: unknown): unknown =>
	typeof entered === 'string' && /^\s*\d+(\.\d+)?\s*$/.test(entered) ? Number(entered) : entered;

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
		`Enter a ${kind} within this range, or remove the option.`,
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

/** Returns the words of a list, or of a text with commas, in upper case, as gateways write statuses. */
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
