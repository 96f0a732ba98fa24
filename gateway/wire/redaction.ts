import { isObject } from '../json';

/** Stands for token, secret, and the signatures of links. */
export const REDACTED = '***';

export type Redact = <T>(value: T) => T;

/** A shorter secret would also match unrelated numbers and words. */
const MIN_SECRET_LENGTH = 6;
/** Prevents a stack overflow. */
const MAX_DEPTH = 100;

/**
 * The link of a question, and an opt-out link, up to the signature. Whoever has the whole link answers for the person who got
 * it, and the deferred deliveries show the texts of all messages.
 */
const SIGNATURES = [
	/(-waiting(?:\\?\/|%2F)(?:(?!-waiting)[^\s"<>]){0,300}?signature(?:=|%3D|\\u003d))[\w-]{16,}/gi,
	// Of this node's links, whatever the path.
	/(\brun(?:=|%3D|\\u003d)\d{1,9}(?:&|&amp;|%26|\\u0026)signature(?:=|%3D|\\u003d))[\w-]{16,}/gi,
	/([?&]t=[\w.-]{1,100}(?:&|&amp;|\\u0026)s(?:=|\\u003d))[\w-]{16,}/gi,
];

/** Replaces token and secret in everything that leaves the node, however their characters are escaped. */
export function redactor(secrets: string[]): Redact {
	const hidden = secrets
		.flatMap((secret) => [secret, ...numberSpellings(secret)])
		.filter((secret) => secret.length >= MIN_SECRET_LENGTH);
	// The longest first, because one may contain another.
	const spellings = [...new Set(hidden.flatMap(usualSpellings))].sort(
		(a, b) => b.length - a.length,
	);
	const unescapedSecrets = hidden
		.map(unescaped)
		.filter(({ length }) => length >= MIN_SECRET_LENGTH);
	const mayBeInNumbers = hidden.some((secret) => /^[\d.e+-]+$/.test(secret));
	const inText = (text: string) => {
		// Saves most of the time for millions of short texts.
		if (text.length < MIN_SECRET_LENGTH) return text;
		const unsigned = SIGNATURES.reduce((rest, link) => rest.replace(link, `$1${REDACTED}`), text);
		const clean = spellings.reduce(
			(rest, spelling) => rest.replaceAll(spelling, REDACTED),
			unsigned,
		);
		if (!/[\\%+]/.test(clean)) return clean;
		const all = unescaped(clean);
		const isHidden = SIGNATURES.some((link) => all.search(link) >= 0);
		return isHidden || unescapedSecrets.some((secret) => all.includes(secret)) ? REDACTED : clean;
	};
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
function numberSpellings(secret: string): string[] {
	const number = /^\d+$/.test(secret) ? Number(secret) : Infinity;
	return number < Infinity ? [String(number)] : [];
}

/** In these, only the secret is replaced. A text with any other spelling is replaced as a whole. */
const usualSpellings = (secret: string): string[] => [
	secret,
	secret.isWellFormed() ? encodeURIComponent(secret) : secret,
	JSON.stringify(secret).slice(1, -1),
];

/** No program escapes a text more often. */
const MAX_ESCAPED = 10;

/**
 * The same for all spellings of a text in URLs, forms and JSON. An escape may be escaped itself, as in `%255Cu00e9`. How
 * many backslashes and percent signs are left depends on how often that was done, so there are none at the end.
 */
function unescaped(text: string): string {
	let decoded = text;
	for (let times = 0; times < MAX_ESCAPED; times++) {
		const before = decoded;
		decoded = before
			.replace(/\\+/g, '\\')
			.replace(/[\\%]u([\da-f]{4})/gi, (_, unit: string) => String.fromCharCode(parseInt(unit, 16)))
			.replace(/\\x(?=[\da-f]{2})/gi, '%')
			.replace(ENCODED_CHARACTERS, decodedBytes)
			.replace(/\\[bfnrt]/g, (control) => JSON.parse(`"${control}"`) as string);
		if (decoded === before) break;
	}
	return decoded.replace(/[\\%]/g, '').replaceAll('+', ' ');
}

/** No more than 1,000 at a time, because millions would overflow the stack. A character has up to three bytes after its first. */
const ENCODED_CHARACTERS = /(?:%[\da-f]{2}(?:%[89ab][\da-f]){0,3}){1,1000}/gi;

function decodedBytes(bytes: string): string {
	try {
		return decodeURIComponent(bytes);
	} catch {
		// Not UTF-8.
		return unescape(bytes);
	}
}
