import { isPlainObject } from './json';

export type Redact = <T>(value: T) => T;

/** Shorter ones would blot out parts of numbers and words that have nothing to do with the token. */
const SHORTEST = 6;
/** Nothing that a gateway has to say lies deeper, and a stack has its end. */
const DEEPEST = 100;

/** Takes token and secret, in every spelling, out of all that leaves the node. */
export function redactor(secrets: string[]): Redact {
	// The longest first, for one may hold another.
	const hidden = [...new Set(secrets.flatMap(spellings))]
		.filter((spelling) => spelling.length >= SHORTEST)
		.sort((one, other) => other.length - one.length);
	const inText = (text: string) =>
		hidden.reduce((clean, spelling) => clean.replaceAll(spelling, '***'), text);
	const redact = (value: unknown, depth: number): unknown => {
		if (typeof value === 'string') return inText(value);
		if (!Array.isArray(value) && !isPlainObject(value)) return value;
		if (depth > DEEPEST) return '…';
		if (Array.isArray(value)) return value.map((member) => redact(member, depth + 1));
		return Object.fromEntries(
			Object.entries(value).map(([name, member]) => [inText(name), redact(member, depth + 1)]),
		);
	};
	return <T>(value: T) => redact(value, 0) as T;
}

/** As it is, as a part of a URL or a form, and as text inside JSON. */
function spellings(secret: string): string[] {
	const encoded = secret.isWellFormed() ? encodeURIComponent(secret) : secret;
	const inJson = JSON.stringify(secret).slice(1, -1);
	const all = [
		secret,
		encoded,
		encoded.replaceAll('%20', '+'),
		formEncoded(secret),
		encodedGently(secret),
		inJson,
	];
	const lowerCase = all.map((text) => text.replace(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase()));
	return [...all, ...lowerCase];
}

const formEncoded = (secret: string) => new URLSearchParams([['', secret]]).toString().slice(1);
const encodedGently = (secret: string) => (secret.isWellFormed() ? encodeURI(secret) : secret);
