/** Unchanged if it is not valid. */
export function percentDecoded(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

/** Each encoded byte as the character with its code, whether or not the bytes are valid UTF-8. */
export const bytesDecoded = (text: string) =>
	text.replace(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));

/** Some servers drop what follows a semicolon or a space in a path segment, or take a decoded ? or # for the end of the path. */
const DOT_SEGMENT = /(^|\/)\.\.?(?=[\s#/;?]|$)|\\/;
/** Of a path that is encoded more often, nobody knows where it leads. */
const MAX_DECODINGS = 10;

/** Whether a server could resolve the path to another one, by a dot segment or a backslash, however often it decodes it. */
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
