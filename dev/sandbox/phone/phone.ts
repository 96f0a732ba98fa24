import type { IncomingMessage, ServerResponse } from 'node:http';

import { qrSvg } from '../account/qrCode';
import { imageType } from '../account/recentFiles';
import { requireLoopback } from '../http/loopback';
import { isAtOrBelow, pathOf } from '../http/path';
import { HttpError, type HttpResponse } from '../http/response';
import { pageFile } from './pageFiles';
import type { ServerSentEvents } from './serverSentEvents';
import { phoneView, type ViewOptions, type ViewSource } from './view';

export const PHONE_PATH = '/_sandbox/phone';

const DEFAULT_COUNT = 100;
const MAX_COUNT = 500;

export interface PhoneContext extends ViewSource {
	events: ServerSentEvents;
}

/** With this policy, the page runs only its own script and cannot be framed, whatever a message contains. */
const PAGE_POLICY = [
	"default-src 'none'",
	"script-src 'self'",
	"style-src 'self'",
	"img-src 'self'",
	"connect-src 'self'",
	"base-uri 'none'",
	"form-action 'none'",
	"frame-ancestors 'none'",
	"require-trusted-types-for 'script'",
	"trusted-types 'none'",
].join('; ');

/** Gives a file in its own tab an opaque origin. Inline CSS is allowed, because browsers use it to show a plain image. */
const FILE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

const securityHeaders = {
	'Content-Security-Policy': PAGE_POLICY,
	'X-Content-Type-Options': 'nosniff',
	'X-Frame-Options': 'DENY',
	'Cross-Origin-Resource-Policy': 'same-origin',
	'Referrer-Policy': 'no-referrer',
	'Cache-Control': 'no-store',
};

/** Returns whether the request is for the phone page. A browser at the root is redirected to it. Other clients get a 404 there. */
export function isPhoneRequest({ method, url = '', headers }: IncomingMessage): boolean {
	const isBrowserAtRoot =
		pathOf(url) === '/' && method === 'GET' && /\btext\/html\b/.test(headers.accept ?? '');
	return isBrowserAtRoot || isAtOrBelow(url, PHONE_PATH);
}

/** Returns the response. Returns undefined for the event stream, which keeps its response open. */
export async function handlePhoneRequest(
	context: PhoneContext,
	request: IncomingMessage,
	response: ServerResponse,
): Promise<HttpResponse | undefined> {
	requireLoopback(request);
	if (request.method !== 'GET') {
		throw new HttpError(405, 'method_not_allowed', 'The phone page supports GET only.', {
			Allow: 'GET',
		});
	}
	const path = pathOf(request.url ?? '');
	if (path === '/') return textResponse('', { Location: PHONE_PATH }, 302);
	const subpath = path.slice(PHONE_PATH.length);
	const page = pageFile(subpath);
	if (page) return { ...page, headers: { ...securityHeaders, ...page.headers } };
	requirePage(request);
	if (subpath === '/events') return streamEvents(context, request, response);
	if (subpath === '/qr.svg') return await qrImage(context);
	if (subpath === '/key') return keyFile(context);
	const file = messageFile(context, subpath);
	if (file) return { ...file, headers: { ...securityHeaders, ...file.headers } };
	throw new HttpError(404, 'not_found', 'Not found. Files of older messages are not kept.');
}

/**
 * Throws unless the phone page sent the request: browsers set Sec-Fetch-Site, and pages cannot change it. n8n does not send it when it
 * downloads a file, so an agent that chooses the URL of an image cannot send the control key or a file of another message to a chat.
 */
function requirePage({ headers }: IncomingMessage): void {
	if (headers['sec-fetch-site'] === 'same-origin') return;
	throw new HttpError(
		403,
		'phone_page_only',
		`Only the phone page can read this. Open ${PHONE_PATH} in a browser.`,
	);
}

function streamEvents(
	context: PhoneContext,
	request: IncomingMessage,
	response: ServerResponse,
): undefined {
	const options = readViewOptions(new URL(request.url ?? '', 'http://localhost').searchParams);
	response.statusCode = 200;
	for (const [name, value] of Object.entries(securityHeaders)) response.setHeader(name, value);
	response.setHeader('Content-Type', 'text/event-stream; charset=utf-8');
	context.events.add(response, () => phoneView(context, options));
}

function readViewOptions(query: URLSearchParams): ViewOptions {
	const count = (name: string) => {
		const number = Number(query.get(name) ?? DEFAULT_COUNT);
		return Number.isInteger(number) ? Math.min(Math.max(number, 1), MAX_COUNT) : DEFAULT_COUNT;
	};
	return {
		chat: query.get('chat') ?? '',
		chats: count('chats'),
		bubbles: count('bubbles'),
		guide: query.get('guide') === 'true',
		requests: query.get('requests') === 'true',
	};
}

async function qrImage({ account, qrCode }: PhoneContext): Promise<HttpResponse> {
	const svg = await qrSvg(qrCode.textFor(account.status));
	return textResponse(svg, { 'Content-Type': 'image/svg+xml; charset=utf-8' });
}

function keyFile({ controlKey }: PhoneContext): HttpResponse {
	return textResponse(controlKey, { 'Content-Type': 'text/plain; charset=utf-8' });
}

function messageFile({ files }: PhoneContext, subpath: string): HttpResponse | undefined {
	const body = files.get(/^\/files\/([0-9a-f]{64})$/.exec(subpath)?.[1] ?? '');
	if (!body) return undefined;
	const image = imageType(body);
	return {
		status: 200,
		headers: {
			'Content-Security-Policy': FILE_POLICY,
			'Content-Type': image ?? 'application/octet-stream',
			// The header has no file name, because several messages can send the same bytes under different names.
			'Content-Disposition': image ? 'inline' : 'attachment',
		},
		body,
	};
}

function textResponse(body: string, headers: Record<string, string>, status = 200): HttpResponse {
	return { status, headers: { ...securityHeaders, ...headers }, body: Buffer.from(body) };
}
