import { parseExactly } from '../json';
import type { Redact } from './redaction';

/** A response of the gateway, or of anything else that answers at its address. Read an image from `bytes`: `data` is text. */
export interface GatewayResponse {
	status: number;
	headers: Record<string, string>;
	bytes: Buffer;
	/** The parsed JSON, whatever the content type, or the text if it is not JSON. Undefined if the body is empty. */
	data: unknown;
	/** What became of the message that was sent. */
	outcome?: 'sent' | 'deferred' | 'duplicate';
	/** Whether the owner of the credential declared that the session is online then. */
	isDeclaredOnline?: boolean;
	/** What the field says that the owner declared as the status of the session. */
	declaredStatus?: string;
}

/** Decodes and parses a response. Redacts it before anything else reads it, because a gateway may repeat the URL with the token. */
export function readResponse(
	{ status, headers, bytes }: { status: number; headers: Record<string, unknown>; bytes: Buffer },
	redact: Redact,
): GatewayResponse {
	const lowerCased = Object.fromEntries(
		Object.entries(headers)
			.filter(([, value]) => value !== undefined && value !== null)
			.map(([name, value]) => [name.toLowerCase(), String(value)]),
	);
	const text = decoded(bytes, lowerCased['content-type']);
	return { status, headers: redact(lowerCased), bytes, data: redact(parsed(text)) };
}

/** Decodes the bytes as UTF-8, unless the content type names another character set that Node.js knows. */
function decoded(bytes: Buffer, type = ''): string {
	const [, charset = 'utf-8'] = /;\s*charset\s*=\s*["']?([\w.:-]+)/i.exec(type) ?? [];
	try {
		return new TextDecoder(charset).decode(bytes);
	} catch {
		return new TextDecoder().decode(bytes);
	}
}

export function parsed(text: string): unknown {
	if (!text.trim()) return undefined;
	try {
		return parseExactly(text);
	} catch {
		return text;
	}
}

const MIME_TYPE = /^[\w.+-]{1,127}\/[\w.+-]{1,127}$/; // e.g. image/svg+xml

/** Returns the content type without parameters; empty unless it looks like one, because users insert it into web pages. */
export function contentType({ headers }: Pick<GatewayResponse, 'headers'>): string {
	const type = (headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase();
	return MIME_TYPE.test(type) ? type : '';
}

/** Returns the type of a file, with its codecs: without them, phones do not play a voice message. */
export function declaredType(declared = ''): string {
	const [codecs = ''] = /;\s*codecs=("[\w.,+ -]+"|[\w.+-]+)/i.exec(declared) ?? [];
	const type = contentType({ headers: { 'content-type': declared } });
	return type && type + codecs;
}

/** E.g. <?xml version="1.0"?><!-- a --><!doctype html> */
const STARTS_AS_PAGE =
	/^\s*(<\?xml[^>]*>\s*)?(<!--(?:[^-]|-(?!->))*-->\s*)*<(!doctype html|html|head|body)\b/i;
/** Matches up to the first element, unless that is an SVG image, or the `<br>` or `<b>` that PHP writes around its messages. */
const FIRST_ELEMENT = /^[^<]*(<[?!][^>]*>[^<]*)*<(?!(svg|br?)\b)[a-z]/i;
/** Only this much is matched, because in megabytes of text the expressions would overflow the stack. A rejection keeps no more either. */
export const MAX_PAGE_START = 4_096;

/** Whether a response is a web page. The content type is not enough, because frameworks also send plain text as text/html. */
export function isWebPage(response: Pick<GatewayResponse, 'headers' | 'data'>): boolean {
	if (typeof response.data !== 'string') return false;
	const start = response.data.slice(0, MAX_PAGE_START);
	const isHtml = /^(text\/html|application\/xhtml\+xml)$/.test(contentType(response));
	// PHP writes its warnings as HTML, even before JSON.
	const endsAsJson = /[}\]]\s*$/.test(response.data.slice(-100));
	return STARTS_AS_PAGE.test(start) || (isHtml && FIRST_ELEMENT.test(start) && !endsAsJson);
}
