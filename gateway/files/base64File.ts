import { requiredText, InvalidInput } from '../inputValues';
import { declaredType } from '../wire/response';
import { isBinaryType, isText } from './fileType';

interface DataUrl {
	/** The type in lower case; empty if the URL has none. */
	mimeType: string;
	isBase64: boolean;
	content: string;
}

/** Of a data URL, e.g. data:image/png;base64, is matched in the start only: megabytes would overflow the expression's stack. */
const MAX_PREFIX = 1_000;
const PREFIX = /^data:([\w.+-]{1,127}\/[\w.+-]{1,127})?((?:;[^;,]*)*),/i;

/** Returns the parts of a data URL such as data:image/png;base64,iVBORw0KGgo; undefined if the text is no data URL. */
export function dataUrl(text: string): DataUrl | undefined {
	const [prefix, mimeType = '', parameters = ''] = PREFIX.exec(text.slice(0, MAX_PREFIX)) ?? [];
	if (prefix === undefined) return undefined;
	return {
		mimeType: declaredType(mimeType + parameters),
		isBase64: /;\s*base64\s*$/i.test(parameters),
		content: text.slice(prefix.length),
	};
}

const GOOD_BASE64 =
	'Enter the file as base64 text, or as a data URL such as data:image/png;base64,iVBORw0KGgo…';

/** Checks a file in base64 without decoding all of it. `mimeType` comes from a data URL, and is empty for plain base64. */
export function base64File(entered: unknown, label: string) {
	const text = requiredText(entered, label, GOOD_BASE64, Infinity).trimStart();
	if (!/^data:/i.test(text)) return { ...checkedBase64(text, label), mimeType: '' };
	const url = dataUrl(text);
	if (url?.isBase64) return { ...checkedBase64(url.content, label), mimeType: url.mimeType };
	throw new InvalidInput(`'${label}' is a data URL that does not contain base64`, GOOD_BASE64);
}

const USE_BINARY = "For a file of a previous node, choose Binary File as 'Media Source'.";

/** A shorter base64 text is a file only if it decodes to text or to a known format. */
const MIN_FILE_LENGTH = 80;

/** Matches decoded text that is no file: what an expression without a value becomes, or an address. */
const NO_CONTENT = /^(null|undefined|\[object Object\]|https?:\/\/\S+)$/;

/** Whether valid base64 is really a word, such as `filesystem-v2` or `null`, which n8n or an expression returns in place of a file. */
function isNoFile(base64: string): boolean {
	if (base64.length >= MIN_FILE_LENGTH) return false;
	const bytes = Buffer.from(base64, 'base64');
	if (/^([a-z]+|[A-Z]?[a-z]{4,})$/.test(base64)) return true;
	return isBinaryType(bytes) ? false : !isText(bytes) || NO_CONTENT.test(bytes.toString());
}

/** Matches characters of neither base64 alphabet. E-mail services use the one for URLs, with `-` and `_`. */
const NOT_BASE64 = /[^\w+/=-]/;

function checkedBase64(text: string, label: string) {
	const base64 = text.replace(/\s/g, '');
	const end = base64.indexOf('=');
	const length = end === -1 ? base64.length : end;
	if (length === 0) throw new InvalidInput(`'${label}' contains no file`, GOOD_BASE64);
	const at = base64.search(NOT_BASE64);
	if (at !== -1) {
		const character = String.fromCodePoint(base64.codePointAt(at)!);
		throw new InvalidInput(
			`'${label}' contains a character that base64 does not have: ${JSON.stringify(character)} at position ${at + 1}, without spaces`,
			GOOD_BASE64,
		);
	}
	const padding = base64.slice(length);
	const isPadded = padding === '' || (/^==?$/.test(padding) && base64.length % 4 === 0);
	if (length % 4 === 1 || !isPadded) {
		throw new InvalidInput(
			`'${label}' is not complete: ${base64.length} characters are no whole number of bytes`,
			`The text was probably cut off or joined. Check where it comes from. ${USE_BINARY}`,
		);
	}
	if (isNoFile(base64)) {
		throw new InvalidInput(`'${label}' is '${base64.slice(0, 100)}', which is no file`, USE_BINARY);
	}
	return { base64, size: Math.floor((length * 3) / 4) };
}
