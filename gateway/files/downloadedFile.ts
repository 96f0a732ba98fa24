import {
	extensionOf,
	hasExtension,
	isBinaryFormat,
	isBinaryType,
	startsAsText,
	typeOfFile,
	typeOfName,
} from './fileType';
import { requiredText, InvalidInput } from '../inputValues';
import { bytesDecoded, percentDecoded } from '../decoding';
import { declaredType, isWebPage, MAX_PAGE_START, parsed } from '../wire/response';

const MAX_URL_LENGTH = 8_192;
const GOOD_URL =
	'Enter the address of the file itself, with its protocol, e.g. https://example.com/photo.jpg';

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
	// The parser alone would accept 'https:photo.jpg' and read the file name as the host.
	if (/^https?:\/\/[^/]/i.test(text) && URL.canParse(text)) return new URL(text);
	throw new InvalidInput(
		"'Media URL' is not an address that starts with http:// or https://",
		GOOD_URL,
	);
}

const MAX_SHOWN = 80;

/**
 * Returns an address to show in messages, without the parts that may be secret: user and password, the query, and the path
 * except its end, because the path of a Telegram file contains the token of the bot.
 */
export function shownUrl({ origin, pathname }: URL): string {
	const parts = pathname.split('/').slice(1);
	const last = (parts.at(-1) ?? '').slice(0, MAX_SHOWN);
	return `${origin}/${parts.length > 1 ? '…/' : ''}${last}`;
}

export interface Download {
	headers: Record<string, string>;
	bytes: Buffer;
}

export interface FileOptions {
	mimeType?: string;
	fileName?: string;
}

const HTML = 'text/html';

/** Returns the downloaded file. Throws InvalidInput if the server sent a web page, JSON, XML or other text instead of it. */
export function downloadedFile(download: Download, url: URL, wanted: FileOptions): LoadedFile {
	const { headers, bytes } = download;
	const nameInUrl = nameIn(url);
	const name = dispositionName(headers['content-disposition'] ?? '') ?? nameInUrl;
	const { mimeType, fileName = name } = wanted;
	const types = [mimeType, typeOfName(fileName), typeOfName(nameInUrl)];
	if (!types.includes(HTML) && isPageInstead(download, fileName)) {
		throw insteadOfFile(url, 'a web page', 'a sign-in page, or a page that only shows the file');
	}
	const declared = declaredType(headers['content-type']);
	const type = types.find((one) => one !== undefined);
	const mayBeData = type
		? TEXT_TYPES.test(type)
		: hasExtension(fileName) && !MESSAGE_TYPES.test(declared);
	const isText = type !== undefined && isBinaryFormat(type) && startsAsText(bytes);
	if (isText || (!mayBeData && isData(bytes))) {
		const what = isData(bytes) ? 'JSON or XML' : 'text';
		throw insteadOfFile(url, what, 'a message that it does not have the file');
	}
	return { bytes, name, declared };
}

/** Matches types whose files can be JSON or XML, so such content is no error of the server, e.g. text/html. */
const TEXT_TYPES =
	/^(text\/(?!csv|calendar|vcard).*|application\/(octet-stream|(.*\+)?(json|xml)))$/;
/** Matches types that servers declare for error messages. E.g. application/problem+json, but not application/gpx+xml, which is a file. */
const MESSAGE_TYPES = /^(text|application)\/(problem\+)?(json|xml)$/;

export interface LoadedFile {
	bytes: Buffer;
	/** The name that its source declares; empty if there is none. */
	name: string;
	/** The type that its source declares; empty if there is none. */
	declared: string;
}

/** Returns the type and name to send. Adds a name if the file has none, and an extension if its own name has none. */
export function namedFile(
	{ bytes, name, declared }: LoadedFile,
	wanted: FileOptions,
): Required<FileOptions> {
	const ownName = cleanName(name);
	const { fileName } = wanted;
	const mimeType = wanted.mimeType ?? typeOfFile(bytes, declared, fileName ?? ownName);
	const extension = hasExtension(ownName) ? undefined : extensionOf(mimeType);
	const withExtension = `${ownName || 'file'}${extension ? `.${extension}` : ''}`;
	return { mimeType, fileName: cleanName(fileName ?? '') || withExtension };
}

function isPageInstead({ bytes, headers }: Download, name: string): boolean {
	// Scripts often send images as text/html, the default type of their web server.
	if (isBinaryType(bytes)) return false;
	const data = bytes.subarray(0, MAX_PAGE_START).toString('utf8');
	const hasMarkup = isWebPage({ headers, data });
	// Scripts also send text files as text/html, so the name decides.
	return (
		hasMarkup || (declaredType(headers['content-type']) === HTML && typeOfName(name) === undefined)
	);
}

/** Longer content is a file, because servers send only short messages instead of one. */
const MAX_MESSAGE = 100_000;

function isData(bytes: Buffer): boolean {
	if (isBinaryType(bytes) || bytes.length > MAX_MESSAGE) return false;
	const text = bytes.toString('utf8').trim();
	return /^<[!?a-z]/i.test(text) || (/^[[{]/.test(text) && typeof parsed(text) === 'object');
}

const insteadOfFile = (url: URL, what: string, guess: string) =>
	new InvalidInput(
		`The server sent ${what} instead of the file at ${shownUrl(url)} (Media URL)`,
		`Probably it is ${guess}: use the address of the file itself, and one that needs no sign-in. To send it on purpose, set the option 'MIME Type' to its type, e.g. text/html.`,
	);

/** These match the names in Content-Disposition: attachment; filename="a.pdf"; filename*=UTF-8''%C3%A4.pdf */
const EXTENDED_NAME = /;\s*filename\*\s*=\s*"?([\w-]+)'[^';]*'([^;"\s]+)/i;
const QUOTED_NAME = /;\s*filename\s*=\s*"((?:[^"\\]|\\.)*)"/i;
const PLAIN_NAME = /;\s*filename\s*=\s*([^;"]+)/i;

function dispositionName(header: string): string | undefined {
	const [, charset = '', encoded = ''] = EXTENDED_NAME.exec(header) ?? [];
	const quoted = QUOTED_NAME.exec(header)?.[1]?.replace(/\\(.)/g, '$1');
	const plain = quoted ?? PLAIN_NAME.exec(header)?.[1] ?? '';
	// Node.js reads headers as Latin-1, but most servers write UTF-8.
	const name = percentDecoded(asUtf8(plain));
	const isLatin1 = /^iso-8859-1$/i.test(charset);
	const extended = isLatin1 ? bytesDecoded(encoded) : percentDecoded(encoded);
	return cleanName(extended) || cleanName(name) || undefined;
}

function asUtf8(latin1: string): string {
	const text = Buffer.from(latin1, 'latin1').toString('utf8');
	return text.includes('\ufffd') ? latin1 : text;
}

/** Matches extensions of server programs, which are not those of the files that they send, e.g. photo.php. */
const PROGRAM = /\.(php\d?|aspx?|ashx|jsp|cgi|do)$/i;

const nameIn = ({ pathname }: URL) =>
	cleanName(percentDecoded(pathname.split('/').at(-1) ?? '')).replace(PROGRAM, '');

const MAX_NAME = 150;
/** Matches control characters, marks that change the direction of text, and what file systems do not allow, e.g. a:b. */
const UNSAFE = /[\p{Cc}\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffd<>:"|?*]/gu;

/** Returns a name that cannot lead out of its folder, whichever program stores the file. */
function cleanName(name: string): string {
	const last = (name.split(/[\\/]/).at(-1) ?? '').replace(UNSAFE, '').trim().replace(/^\.+/, '');
	const characters = [...last];
	if (characters.length <= MAX_NAME) return last;
	const extension = /\.[a-z0-9]{1,10}$/i.exec(last)?.[0] ?? '';
	return characters.slice(0, MAX_NAME - extension.length).join('') + extension;
}
