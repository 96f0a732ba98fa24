import type { IncomingMessage } from 'node:http';

import { HttpError } from './response';

/** Thrown when the client closes the connection before its request is complete. No response is possible then. */
export class ClientDisconnected extends Error {}

const MAX_BYTES_IN_FLIGHT = 128 * 1024 * 1024;
const RETRY_AFTER_SECONDS = 1;

export interface ReceivedBody {
	bytes: Buffer;
	/** Must be called when the request is done, so that other bodies can use the memory. */
	release: () => void;
}

/** Limits the memory of all bodies that are received and processed at the same time, and so the size of each. */
export class BodiesInFlight {
	#bytes = 0;

	/** Returns the body. If it is too large, throws before reading all of it, so that the client gets the response early. */
	async read(request: IncomingMessage, maxBytes = MAX_BYTES_IN_FLIGHT): Promise<ReceivedBody> {
		const chunks: Buffer[] = [];
		let length = 0;
		const release = () => {
			this.#bytes -= length;
			length = 0;
		};
		const requireSpace = (more: number) => {
			if (length + more > maxBytes) throw tooLarge(maxBytes);
			if (this.#bytes + more > MAX_BYTES_IN_FLIGHT) throw tooManyBytes();
		};
		requireSpace(Number(request.headers['content-length'] ?? 0));
		try {
			for await (const chunk of chunksOf(request)) {
				requireSpace(chunk.length);
				chunks.push(chunk);
				length += chunk.length;
				this.#bytes += chunk.length;
			}
			return { bytes: Buffer.concat(chunks), release };
		} catch (error) {
			release();
			if (error instanceof HttpError) throw error;
			throw new ClientDisconnected('The client disconnected before its request was complete.');
		}
	}
}

/** Returns the chunks. With the default destroyOnReturn, an early exit of the loop would close the connection before the response. */
function chunksOf(request: IncomingMessage): AsyncIterable<Buffer> {
	return request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
}

function tooLarge(maxBytes: number): HttpError {
	return new HttpError(413, 'body_too_large', `The body is larger than ${maxBytes} bytes.`);
}

function tooManyBytes(): HttpError {
	return new HttpError(
		503,
		'too_many_bytes_in_flight',
		`The requests in progress have more than ${MAX_BYTES_IN_FLIGHT} bytes. Try again later.`,
		{ 'Retry-After': String(RETRY_AFTER_SECONDS) },
	);
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
