export function percentDecoded(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

/** Decodes each encoded byte to the character with that code, so the bytes need not be valid UTF-8. */
export const bytesDecoded = (text: string) =>
	text.replace(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));

/** The dots may be followed by `;` or a space, where some servers cut a segment, or by a decoded `?` or `#`: /a/..;/b. */
const DOT_SEGMENT = /(^|\/)\.\.?(?=[\s#/;?]|$)|\\/;
/** A path that is encoded more often counts as one with a dot segment, because it is unknown where it leads. */
const MAX_DECODINGS = 10;

/** Whether a dot segment or a backslash could make a server resolve the path to another one, however often the server decodes it. */
export function hasDotSegment(path: string): boolean {
	let decoded = path;
	for (let times = 0; times < MAX_DECODINGS; times++) {
		if (DOT_SEGMENT.test(decoded)) return true;
		const before = decoded;
		decoded = bytesDecoded(before);
		if (decoded === before) return false;
	}
	return true;
}

/** Matches what acts on a terminal, hides text or reorders it, and spaces of all kinds. Emoji and Persian need the exceptions. */
const NOT_SHOWN = /(?:(?!\u200c|\u200d|\ufe0f)[\p{Cc}\p{Cf}\p{Z}\p{DI}\u2800])+/gu;

/** Returns a text of the gateway, or another that is not ours, as people may see it: on one line, and with nothing but what it shows. */
export const printableText = (text: string): string => text.replace(NOT_SHOWN, ' ');
