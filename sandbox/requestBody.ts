import type { IncomingMessage } from 'node:http';

import { HttpError } from './response';

/** The client closed the connection before its request was complete, so no response is possible. */
export class ClientDisconnected extends Error {}

export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
	const chunks: Buffer[] = [];
	let length = 0;
	try {
		for await (const chunk of request as AsyncIterable<Buffer>) {
			length += chunk.length;
			// An oversized body is read to its end and discarded: if the connection closed while the
			// client is still writing, the client would never see the 413 response.
			if (length <= maxBytes) chunks.push(chunk);
			else chunks.length = 0;
		}
	} catch {
		throw new ClientDisconnected('The client disconnected before its request was complete.');
	}
	if (length > maxBytes) {
		throw new HttpError(413, 'body_too_large', `The body is larger than ${maxBytes} bytes.`);
	}
	return Buffer.concat(chunks);
}

export function isJson(contentType: string | undefined): boolean {
	return /^application\/json\s*(;|$)/i.test(contentType ?? '');
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export function parseJsonObject(
	body: Buffer,
	contentType: string | undefined,
): Record<string, unknown> {
	if (!isJson(contentType)) {
		throw new HttpError(422, 'invalid_json', 'The Content-Type must be application/json.');
	}
	const value = parseJson(body);
	if (typeof value !== 'object' || value === null || Array.isArray(value)) {
		throw new HttpError(422, 'validation_error', 'The body must be a JSON object.');
	}
	return value as Record<string, unknown>;
}

export function parseJson(body: Buffer): unknown {
	try {
		return JSON.parse(utf8.decode(body));
	} catch {
		throw new HttpError(422, 'invalid_json', 'The body is not valid JSON in UTF-8.');
	}
}
