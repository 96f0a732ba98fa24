import type { IncomingMessage, ServerResponse } from 'node:http';

import { type Answer, Refusal } from '../answer';
import { mustBeFromHere } from '../loopback';
import { qrDrawing } from '../pairingCode';
import { codeToShow } from '../responses';
import { pathOf } from '../routing';
import type { Feed } from './feed';
import { pageFile } from './pageFiles';
import { pictureType } from './pictureType';
import { type Insides, phoneView, type Wanted } from './view';

export const PHONE_PATH = '/_sandbox/phone';

const FIRST_SHOWN = 100;
const MOST_SHOWN = 500;

export interface Phone extends Insides {
	feed: Feed;
}

/** Whatever a message contains, this page runs no script but its own, and is shown in no other page. */
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

/** A file that is opened by itself is a page of its own, of nobody's origin. The style is the browser's, around a picture. */
const FILE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

const guards = {
	'Content-Security-Policy': PAGE_POLICY,
	'X-Content-Type-Options': 'nosniff',
	'X-Frame-Options': 'DENY',
	'Cross-Origin-Resource-Policy': 'same-origin',
	'Referrer-Policy': 'no-referrer',
	'Cache-Control': 'no-store',
};

/** A browser at the root wants to see something; a client of the gateway is told that nothing is there. */
export function isPhone({ method, url = '', headers }: IncomingMessage): boolean {
	const path = pathOf(url);
	const atFrontDoor =
		path === '/' && method === 'GET' && /\btext\/html\b/.test(headers.accept ?? '');
	return atFrontDoor || `${path}/`.startsWith(`${PHONE_PATH}/`);
}

/** The answer; or none, where the response is kept open and told what happens. */
export async function phone(
	parts: Phone,
	request: IncomingMessage,
	response: ServerResponse,
): Promise<Answer | undefined> {
	mustBeFromHere(request);
	if (request.method !== 'GET') {
		throw new Refusal(405, 'method_not_allowed', 'The phone takes GET only.', { Allow: 'GET' });
	}
	const path = pathOf(request.url ?? '');
	if (path === '/') return answer('', { Location: PHONE_PATH }, 302);
	const place = path.slice(PHONE_PATH.length);
	if (place === '/events') return tellEvents(parts, request, response);
	if (place === '/qr.svg') return await drawing(parts);
	const found = keptFile(parts, place) ?? pageFile(place);
	if (found) return { ...found, headers: { ...guards, ...found.headers } };
	throw new Refusal(404, 'not_found', 'The phone has nothing here, or has it no longer.');
}

function tellEvents(parts: Phone, request: IncomingMessage, response: ServerResponse): undefined {
	const wanted = readWanted(new URL(request.url ?? '', 'http://localhost').searchParams);
	response.statusCode = 200;
	for (const [name, value] of Object.entries(guards)) response.setHeader(name, value);
	response.setHeader('Content-Type', 'text/event-stream; charset=utf-8');
	parts.feed.add(response, () => phoneView(parts, wanted));
}

function readWanted(query: URLSearchParams): Wanted {
	const shown = (name: string) => {
		const number = Number(query.get(name) ?? FIRST_SHOWN);
		return Number.isInteger(number) ? Math.min(Math.max(number, 1), MOST_SHOWN) : FIRST_SHOWN;
	};
	return { chat: query.get('chat'), chats: shown('chats'), bubbles: shown('bubbles') };
}

async function drawing({ account, code }: Phone): Promise<Answer> {
	const svg = await qrDrawing(codeToShow(account, code));
	return answer(svg, { 'Content-Type': 'image/svg+xml; charset=utf-8' });
}

function keptFile({ files }: Phone, place: string): Answer | undefined {
	const body = files.get(/^\/files\/([0-9a-f]{64})$/.exec(place)?.[1] ?? '');
	if (!body) return undefined;
	const picture = pictureType(body);
	return {
		status: 200,
		headers: {
			'Content-Security-Policy': FILE_POLICY,
			'Content-Type': picture ?? 'application/octet-stream',
			// Without a name: the same bytes may have come under several, and the page knows which.
			'Content-Disposition': picture ? 'inline' : 'attachment',
		},
		body,
	};
}

function answer(body: string, headers: Record<string, string>, status = 200): Answer {
	return { status, headers: { ...guards, ...headers }, body: Buffer.from(body) };
}
