import { isObject } from './json';

/** Stands for token and secret. */
export const REDACTED = '***';

export type Redact = <T>(value: T) => T;

/** A shorter secret would also match unrelated numbers and words. */
const MIN_LENGTH = 6;
/** Prevents a stack overflow. */
const MAX_DEPTH = 100;

/** Replaces token and secret in everything that leaves the node, however their characters are escaped. */
export function redactor(secrets: string[]): Redact {
	// The longest first, because one may contain another.
	const hidden = [...new Set(secrets.flatMap((secret) => [secret, ...asNumber(secret)]))].sort(
		(a, b) => b.length - a.length,
	);
	const mayBeInNumbers = hidden.some((secret) => /^[\d.e+-]{6,}$/.test(secret));
	const patterns = hidden.flatMap(patternsOf);
	const inText = (text: string) =>
		// Saves most of the time for millions of short texts.
		text.length < MIN_LENGTH
			? text
			: patterns.reduce((clean, pattern) => clean.replace(pattern, REDACTED), text);
	const redact = (value: unknown, depth: number): unknown => {
		if (typeof value === 'string') return inText(value);
		if (typeof value === 'number') {
			if (!mayBeInNumbers) return value;
			const text = String(value);
			const clean = inText(text);
			return clean === text ? value : clean;
		}
		if (!Array.isArray(value) && !isObject(value)) return value;
		if (depth > MAX_DEPTH) return '…';
		if (Array.isArray(value)) return value.map((member) => redact(member, depth + 1));
		const names = Object.keys(value);
		if (names.length === 0) return value;
		return Object.fromEntries(names.map((name) => [inText(name), redact(value[name], depth + 1)]));
	};
	return <T>(value: T) => redact(value, 0) as T;
}

/** Digits as a number in JSON, which may be rounded. */
function asNumber(secret: string): string[] {
	const number = /^\d+$/.test(secret) ? Number(secret) : Infinity;
	return number < Infinity ? [String(number)] : [];
}

/** V8 rejects a regular expression for many more. */
const MAX_CHARACTERS = 500;

/** Starts an escape. It may be escaped itself, as in `%255Cu00e9`, so its numbers can follow. */
const SIGN = /[\\%](?:(?:u00|x)?(?:25|5[cC]))*(?!(?:u00|x)?(?:25|5[cC]))/g;
/** As many as there are: with a choice, a long run would take much longer. */
const SIGNS = `(?:${SIGN.source})+(?![\\\\%])`;

/** The signs of the secret itself are ignored, because their number depends on how often they were escaped. */
function patternsOf(secret: string): RegExp[] {
	const characters = [...secret.replace(SIGN, '')];
	return Array.from({ length: Math.ceil(characters.length / MAX_CHARACTERS) }, (_, part) =>
		characters.slice(part * MAX_CHARACTERS, (part + 1) * MAX_CHARACTERS),
	)
		.filter((part) => part.join('').length >= MIN_LENGTH)
		.map((part) => new RegExp(part.map(spellings).join(''), 'g'));
}

/** A character as it is, or after signs. */
function spellings(character: string, index: number): string {
	// Before the first character, each sign of a long run would be tried as the start of the whole run.
	const signs = index === 0 ? SIGN.source : SIGNS;
	// In forms.
	const characters = character === ' ' ? [' ', '+'] : [character];
	return `(?:${signs}(?:${characters.flatMap(afterSigns).join('|')})|${characters.map(literal).join('|')})`;
}

/** Its UTF-16 units, UTF-8 bytes or Latin-1 byte, a letter as in `\n`, or the character. */
function afterSigns(character: string): string[] {
	const units = character.split('').map((unit) => `u${hexadecimal(unit.charCodeAt(0), 4)}`);
	const encodings: BufferEncoding[] = character <= 'ÿ' ? ['utf8', 'latin1'] : ['utf8'];
	const bytes = encodings.map((encoding) =>
		[...Buffer.from(character, encoding)].map((byte) => `x?${hexadecimal(byte, 2)}`).join(SIGNS),
	);
	const letter = /^"\\([a-z])"$/.exec(JSON.stringify(character))?.[1];
	return [units.join(SIGNS), ...new Set(bytes), ...(letter ? [letter] : []), literal(character)];
}

const literal = (character: string) => (/[a-z\d]/i.test(character) ? '' : '\\') + character;

const hexadecimal = (number: number, digits: number) =>
	number
		.toString(16)
		.padStart(digits, '0')
		.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
