import { dataUrl } from './dataUrl';
import { requiredText } from '../inputValues';
import { InvalidInput } from '../invalidInput';

const MAX_URL_LENGTH = 8_192;
const GOOD_URL =
	'Enter the address of the file itself, with its protocol, e.g. https://example.com/photo.jpg';

/** The address that a file is downloaded from. */
export function fileUrl(entered: unknown): URL {
	const text = requiredText(entered, 'Media URL', GOOD_URL, MAX_URL_LENGTH).trim();
	if (/^data:/i.test(text)) {
		throw new InvalidInput(
			"'Media URL' is a data URL, which contains the file itself",
			"Choose Base64 as 'Media Source' and enter it there.",
		);
	}
	if (/\shttps?:\/\//i.test(text)) {
		throw new InvalidInput(
			"'Media URL' contains more than one address",
			'Send one file per message: use the Split Out node to make an item of each address.',
		);
	}
	// Without the check of the text, the parser would also read 'https:photo.jpg' and make it a host.
	if (/^https?:\/\/[^/]/i.test(text) && URL.canParse(text)) return new URL(text);
	throw new InvalidInput(
		"'Media URL' is not an address that starts with http:// or https://",
		GOOD_URL,
	);
}

const MAX_SHOWN = 80;

/**
 * An address for messages, without the parts that may be secret: user and password, the query, and all of the path
 * but its end (the path of a Telegram file contains the token of the bot).
 */
export function shownUrl({ origin, pathname }: URL): string {
	const parts = pathname.split('/').slice(1);
	const last = (parts.at(-1) ?? '').slice(0, MAX_SHOWN);
	return `${origin}/${parts.length > 1 ? '…/' : ''}${last}`;
}

interface Base64File {
	/** Without spaces and line breaks. */
	base64: string;
	size: number;
	/** Of a data URL. */
	mimeType: string;
}

const GOOD_BASE64 =
	'Enter the file as base64 text, or as a data URL such as data:image/png;base64,iVBORw0KGgo…';

/** Checks a file in base64, without decoding it. */
export function base64File(entered: unknown): Base64File {
	const text = requiredText(entered, 'Media Base64', GOOD_BASE64, Infinity).trimStart();
	if (!/^data:/i.test(text)) return { ...checkedBase64(text), mimeType: '' };
	const url = dataUrl(text);
	if (!url?.isBase64) {
		throw new InvalidInput(
			"'Media Base64' is a data URL that does not contain base64",
			GOOD_BASE64,
		);
	}
	return { ...checkedBase64(url.content), mimeType: url.mimeType };
}

/** Both alphabets, because e-mail services use the one for URLs. */
const NOT_BASE64 = /[^\w+/=-]/;

function checkedBase64(text: string): Pick<Base64File, 'base64' | 'size'> {
	const base64 = text.replace(/\s/g, '');
	const end = base64.indexOf('=');
	const length = end === -1 ? base64.length : end;
	if (length === 0) throw new InvalidInput("'Media Base64' contains no file", GOOD_BASE64);
	const at = base64.search(NOT_BASE64);
	if (at !== -1) {
		const character = String.fromCodePoint(base64.codePointAt(at)!);
		throw new InvalidInput(
			`'Media Base64' contains a character that base64 does not have: ${JSON.stringify(character)} at position ${at + 1}, without spaces`,
			GOOD_BASE64,
		);
	}
	const padding = base64.slice(length);
	const isPadded =
		padding === '' || ((padding === '=' || padding === '==') && base64.length % 4 === 0);
	if (length % 4 === 1 || !isPadded) {
		throw new InvalidInput(
			`'Media Base64' is not complete: ${base64.length} characters are no whole number of bytes`,
			'The text was probably cut off or joined. Check where it comes from.',
		);
	}
	return { base64, size: Math.floor((length * 3) / 4) };
}
