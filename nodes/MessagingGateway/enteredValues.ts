import { InvalidInput } from '../../gateway/invalidInput';

export const isMissing = (value: unknown) => value === undefined || value === null || value === '';

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
		`Enter a ${kind} in these bounds, or leave it out: it is then ${otherwise}.`,
	);
}

/** Words that stand between commas, or come as a list; in capitals, as gateways write theirs. */
export function wordsIn(entered: unknown, label: string): string[] {
	const texts: unknown[] = Array.isArray(entered) ? entered : [entered];
	return texts
		.flatMap((text) => (optionalText(text, label) ?? '').split(','))
		.map((word) => word.trim().toUpperCase())
		.filter((word) => word !== '');
}
