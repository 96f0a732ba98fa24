import type { IncomingMessage } from 'node:http';

import { Refusal } from './answer';

/** The client hung up before its request was complete: there is nobody left to answer. */
export class ClientLeft extends Error {}

export async function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
	const chunks: Buffer[] = [];
	let length = 0;
	try {
		for await (const chunk of request as AsyncIterable<Buffer>) {
			length += chunk.length;
			// Too much is read on and thrown away: hanging up on a client that is still writing
			// would cost it the answer that tells it why.
			if (length <= limit) chunks.push(chunk);
			else chunks.length = 0;
		}
	} catch {
		throw new ClientLeft('The client left before its request was complete.');
	}
	if (length > limit) {
		throw new Refusal(413, 'body_too_large', `A body may have at most ${limit} bytes.`);
	}
	return Buffer.concat(chunks);
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export function parseJsonObject(
	body: Buffer,
	contentType: string | undefined,
): Record<string, unknown> {
	if (!/^application\/json\s*(;|$)/i.test(contentType ?? '')) {
		throw new Refusal(422, 'invalid_json', 'The Content-Type must be application/json.');
	}
	const value = parsed(body);
	if (typeof value !== 'object' || value === null || Array.isArray(value)) {
		throw new Refusal(422, 'validation_error', 'The body must be a JSON object.');
	}
	return value as Record<string, unknown>;
}

function parsed(body: Buffer): unknown {
	try {
		return JSON.parse(utf8.decode(body));
	} catch {
		throw new Refusal(422, 'invalid_json', 'The body is not valid JSON in UTF-8.');
	}
}
