import { isObject } from './json';

/** Stands for token and secret. */
export const REDACTED = '***';

export type Redact = <T>(value: T) => T;

/** A shorter secret would also match unrelated numbers and words. */
const MIN_LENGTH = 6;
/** Prevents a stack overflow. */
const MAX_DEPTH = 100;

/** Replaces token and secret, in every encoding, in everything that leaves the node. */
export function redactor(secrets: string[]): Redact {
	// The longest first, because one may contain another.
	const hidden = [...new Set(secrets.flatMap(encodings))]
		.filter((encoding) => encoding.length >= MIN_LENGTH)
		.sort((a, b) => b.length - a.length);
	const mayBeInNumbers = hidden.some((encoding) => /^[\d.e+-]+$/.test(encoding));
	const inText = (text: string) =>
		// Saves most of the time for millions of short texts.
		text.length < MIN_LENGTH
			? text
			: hidden.reduce((clean, encoding) => clean.replaceAll(encoding, REDACTED), text);
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

/** As entered, as part of a URL or a form, as text in JSON, and digits as a number in JSON, which may be rounded. */
function encodings(secret: string): string[] {
	const encoded = secret.isWellFormed() ? encodeURIComponent(secret) : secret;
	const inJson = JSON.stringify(secret).slice(1, -1);
	const number = /^\d+$/.test(secret) ? Number(secret) : Infinity;
	const all = [
		secret,
		...(number < Infinity ? [String(number)] : []),
		encoded,
		encoded.replaceAll('%20', '+'),
		formEncoded(secret),
		uriEncoded(secret),
		inJson,
	];
	const lowerCase = all.map((text) => text.replace(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase()));
	return [...all, ...lowerCase];
}

const formEncoded = (secret: string) => new URLSearchParams([['', secret]]).toString().slice(1);
const uriEncoded = (secret: string) => (secret.isWellFormed() ? encodeURI(secret) : secret);
