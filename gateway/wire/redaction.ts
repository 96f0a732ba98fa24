import { mapTexts } from '../json';

/** Stands for a token, a secret or a signature. */
const REDACTED = '***';

export type Redact = <T>(value: T) => T;

/** Shorter secrets are not redacted, because they would also match unrelated numbers and words. */
const MIN_SECRET_LENGTH = 6;

/**
 * Match the link of a question and an opt-out link, with the signature after the group. With the whole link, anyone could answer for the
 * recipient, and the deferred deliveries show the texts of all messages.
 */
const SIGNED_LINKS = [
	/(-waiting(?:\\?\/|%2F)(?:(?!-waiting)[^\s"<>]){0,300}?signature(?:=|%3D|\\u003d))[\w-]{16,}/gi,
	// The links of this node are matched by their query, because their path can differ.
	/(\brun(?:=|%3D|\\u003d)\d{1,9}(?:&|&amp;|%26|\\u0026)signature(?:=|%3D|\\u003d))[\w-]{16,}/gi,
	/([?&]t=[\w.-]{1,100}(?:&|&amp;|\\u0026)s(?:=|\\u003d))[\w-]{16,}/gi,
];

/** Matches the signature of a request, also with other hexadecimal digits next to it, such as those of the timestamp. */
const SIGNATURE = /()[\da-f]{64,}/gi;

/**
 * Returns a function that replaces token, secret and the signatures of links in the data that leaves the node, however they are escaped.
 * `hidesSignatures` also replaces whatever can be the signature of a request, because a gateway can repeat any of them.
 */
export function redactor(secrets: string[], hidesSignatures = false): Redact {
	const signed = hidesSignatures ? [...SIGNED_LINKS, SIGNATURE] : SIGNED_LINKS;
	const hidden = secrets
		.flatMap((secret) => [secret, ...numberSpellings(secret)])
		.filter((secret) => secret.length >= MIN_SECRET_LENGTH);
	// The longest spelling is replaced first, because it may contain a shorter one.
	const spellings = [...new Set(hidden.flatMap(usualSpellings))].sort(
		(a, b) => b.length - a.length,
	);
	const unescapedSecrets = hidden
		.map(unescaped)
		.filter(({ length }) => length >= MIN_SECRET_LENGTH);
	const inText = (text: string) => {
		// This saves most of the time if there are millions of short texts.
		if (text.length < MIN_SECRET_LENGTH) return text;
		const unsigned = signed.reduce((rest, link) => rest.replace(link, `$1${REDACTED}`), text);
		const clean = spellings.reduce(
			(rest, spelling) => rest.replaceAll(spelling, REDACTED),
			unsigned,
		);
		if (!/[\\%+]/.test(clean)) return clean;
		const all = unescaped(clean);
		const isHidden = signed.some((link) => all.search(link) >= 0);
		return isHidden || unescapedSecrets.some((secret) => all.includes(secret)) ? REDACTED : clean;
	};
	const mayBeInNumbers = hidden.some((secret) => /^[\d.e+-]+$/.test(secret));
	return (value) => mapTexts(value, inText, mayBeInNumbers);
}

/** Returns how JSON writes a secret of digits as a number. It may be rounded. */
function numberSpellings(secret: string): string[] {
	const number = /^\d+$/.test(secret) ? Number(secret) : Infinity;
	return number < Infinity ? [String(number)] : [];
}

/** Returns the spellings of which only the secret is replaced. A text with any other spelling is replaced as a whole. */
const usualSpellings = (secret: string): string[] => [
	secret,
	secret.isWellFormed() ? encodeURIComponent(secret) : secret,
	JSON.stringify(secret).slice(1, -1),
];

/** Programs do not escape a text more often than this. */
const MAX_ESCAPED = 10;

/**
 * Returns the same text for all spellings of it in URLs, forms and JSON. Escapes may be escaped again, as in `%255Cu00e9`. The number of
 * backslashes and percent signs that remain depends on how often that was done, so all of them are removed.
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

/** Matches at most 1,000 characters at a time, because millions would overflow the stack. Each has up to three bytes after the first. */
const ENCODED_CHARACTERS = /(?:%[\da-f]{2}(?:%[89ab][\da-f]){0,3}){1,1000}/gi;

function decodedBytes(bytes: string): string {
	try {
		return decodeURIComponent(bytes);
	} catch {
		// The bytes are not UTF-8, so each is decoded to the character with its code.
		return unescape(bytes);
	}
}
