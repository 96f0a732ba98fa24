import { parseExactly } from '../json';
import type { Redact } from './redaction';

/** A response, from the gateway or from whatever answers at its address. An image is in `bytes`, not in `data`. */
export interface GatewayResponse {
	status: number;
	headers: Record<string, string>;
	bytes: Buffer;
	/** Parsed if it is JSON, whatever the content type; otherwise the text; undefined if the body is empty. */
	data: unknown;
}

/** Redacts before anything else reads the response: a gateway may repeat the URL, and with it the token. */
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

/** As UTF-8, unless the content type names another character set that Node.js knows. */
function decoded(bytes: Buffer, type = ''): string {
	const [, charset = 'utf-8'] = /;\s*charset\s*=\s*["']?([\w.:-]+)/i.exec(type) ?? [];
	try {
		return new TextDecoder(charset).decode(bytes);
	} catch {
		return new TextDecoder().decode(bytes);
	}
}

/** The text itself if it is not JSON; undefined if it is empty. */
export function parsed(text: string): unknown {
	if (!text.trim()) return undefined;
	try {
		return parseExactly(text);
	} catch {
		return text;
	}
}

const MIME_TYPE = /^[\w.+-]{1,127}\/[\w.+-]{1,127}$/;

/** Empty unless it is a type, because users put it into pages. */
export function contentType({ headers }: Pick<GatewayResponse, 'headers'>): string {
	const type = (headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase();
	return MIME_TYPE.test(type) ? type : '';
}

const STARTS_AS_PAGE =
	/^\s*(<\?xml[^>]*>\s*)?(<!--(?:[^-]|-(?!->))*-->\s*)*<(!doctype html|html|head|body)\b/i;
/** The first element, whatever comes before it. Not an SVG image, nor what PHP writes around its messages. */
const FIRST_ELEMENT = /^[^<]*(<[?!][^>]*>[^<]*)*<(?!(svg|br?)\b)[a-z]/i;
/** In megabytes of text, these expressions would overflow their stack. A rejection keeps no more than this. */
export const MAX_PAGE_START = 4_096;

/** Frameworks also send plain text as text/html, so the content type alone is not enough. */
export function isWebPage(response: Pick<GatewayResponse, 'headers' | 'data'>): boolean {
	if (typeof response.data !== 'string') return false;
	const start = response.data.slice(0, MAX_PAGE_START);
	const isHtml = /^(text\/html|application\/xhtml\+xml)$/.test(contentType(response));
	// PHP writes its warnings as HTML, also before JSON.
	const endsAsJson = /[}\]]\s*$/.test(response.data.slice(-100));
	return STARTS_AS_PAGE.test(start) || (isHtml && FIRST_ELEMENT.test(start) && !endsAsJson);
}

/** What the start of a web page shows. */
export const pageText = ({ data }: Pick<GatewayResponse, 'data'>): string =>
	String(data)
		.slice(0, MAX_PAGE_START)
		.replace(/<(style|script)\b[^<]*|<[^<>]*>?/gi, '\n')
		.split('\n')
		.map((line) => line.trim())
		.filter((line) => line !== '')
		.join('\n');
