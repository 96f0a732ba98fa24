import type { ICredentialTestFunctions, IDataObject } from 'n8n-workflow';

import {
	connectionFailure,
	RESPONSE_TOO_LARGE,
	type Result,
	TIMEOUT,
} from '../../../gateway/replies/failure';
import type { Redact } from '../../../gateway/wire/redaction';
import { cancelSignal, type Context } from '../n8n/cancelSignal';
import { failureInConnection } from './failures';

export type Body = NodeJS.ReadableStream & {
	destroyed: boolean;
	readableEnded: boolean;
	destroy: () => void;
};

/** A response whose body has not been read. */
interface Incoming {
	statusCode: number;
	headers: IDataObject;
	body: Body;
}

interface Limits {
	context: Context | ICredentialTestFunctions;
	timeoutMs: number;
	redact: Redact;
	/** If there is one, connections are to it. */
	proxy?: object;
}

/**
 * Sends a request and reads its response, until the timeout or until the user cancels the execution. n8n's own timeout
 * restarts with each byte.
 */
export async function sendAndRead<T>(
	{ context, timeoutMs, redact, proxy }: Limits,
	send: (signal: AbortSignal) => Promise<unknown>,
	read: (response: Incoming) => Promise<Result<T>>,
): Promise<Result<T>> {
	const timeout = AbortSignal.timeout(timeoutMs);
	const cancelled = cancelSignal(context);
	const abort = new AbortController();
	let body: Body | undefined;
	const end = () => {
		// Closes the connection. Destroying the stream does not, if axios wraps it.
		abort.abort();
		// Without a signal, as in a credential test, this is what ends the reading.
		body?.destroy?.();
	};
	for (const signal of [timeout, cancelled]) signal.addEventListener('abort', end);
	if (cancelled.aborted) end();
	try {
		const response = (await send(abort.signal)) as Incoming;
		({ body } = response);
		if (abort.signal.aborted) end();
		const result = await read(response);
		// The body may not have been read.
		if ('failure' in result) end();
		return result;
	} catch (thrown) {
		end();
		const isLate = timeout.aborted && !cancelled.aborted;
		if (isLate) return { failure: connectionFailure(TIMEOUT) };
		return { failure: failureInConnection(thrown, redact, proxy) };
	} finally {
		// A signal with a listener stays in memory until its timeout.
		for (const signal of [timeout, cancelled]) signal.removeEventListener('abort', end);
	}
}

/** Makes n8n return the response as a stream, whose size n8n does not limit. */
export const STREAMED = {
	encoding: 'stream',
	// An error status would make n8n send a request with a 401 again, and its errors contain the URL, and with it the token.
	ignoreHttpStatusErrors: true,
	returnFullResponse: true,
} as const;

const connectionError = (code: string) => Object.assign(new Error(code), { code });

/** Far more than any response of a gateway. */
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;

/** Throws if the body is too large. Events cost less than an async iterator. */
export async function readAll(body: Body, maxBytes = MAX_RESPONSE_BYTES): Promise<Buffer> {
	// No event follows.
	if (body.destroyed) throw connectionError('ECONNRESET');
	const chunks: Buffer[] = [];
	let length = 0;
	await new Promise<void>((resolve, reject) => {
		body.on('data', (chunk: Buffer) => {
			length += chunk.length;
			if (length > maxBytes) reject(connectionError(RESPONSE_TOO_LARGE));
			else chunks.push(chunk);
		});
		body.on('end', resolve);
		body.on('error', reject);
		body.on('close', () => {
			if (!body.readableEnded) reject(connectionError('ECONNRESET'));
		});
	});
	return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
}
