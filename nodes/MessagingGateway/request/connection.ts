import type { ICredentialTestFunctions, IDataObject } from 'n8n-workflow';

import {
	connectionFailure,
	type RequestFailure,
	RESPONSE_TOO_LARGE,
	type Result,
	TIMEOUT,
} from '../../../gateway/responses/failure';
import { InvalidInput } from '../../../gateway/inputValues';
import type { Redact } from '../../../gateway/wire/redaction';
import { cancelSignal, type Context } from '../n8n/cancelSignal';
import { type ErrorDetails, inputErrorIn, withCauses } from './inputErrors';

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

interface RequestContext {
	context: Context | ICredentialTestFunctions;
	timeoutMs: number;
	redact: Redact;
	/** If it is set, a failure to connect is one of the proxy. */
	proxy?: object;
}

/**
 * Sends a request and reads its response, until the timeout or until the user cancels the execution. It has its own
 * timeout, because the one of n8n starts again with each byte.
 */
export async function withinTimeout<T>(
	{ context, timeoutMs, redact, proxy }: RequestContext,
	send: (signal: AbortSignal) => Promise<unknown>,
	read: (response: Incoming) => Promise<Result<T>>,
): Promise<Result<T>> {
	const timeout = AbortSignal.timeout(timeoutMs);
	const cancelled = cancelSignal(context);
	const abort = new AbortController();
	let body: Body | undefined;
	const end = () => {
		// This closes the connection. Destroying the stream would not if axios wraps it.
		abort.abort();
		// In a credential test, n8n's helper takes no signal, so only this ends the reading.
		body?.destroy?.();
	};
	for (const signal of [timeout, cancelled]) signal.addEventListener('abort', end);
	if (cancelled.aborted) end();
	try {
		const response = (await send(abort.signal)) as Incoming;
		({ body } = response);
		if (abort.signal.aborted) end();
		const result = await read(response);
		// After a failure, part of the body may be unread, which would keep the connection open.
		if ('failure' in result) end();
		return result;
	} catch (thrown) {
		end();
		const isTimeoutOver = timeout.aborted && !cancelled.aborted;
		if (isTimeoutOver) return { failure: connectionFailure(TIMEOUT) };
		return { failure: failureInConnection(thrown, redact, proxy) };
	} finally {
		// A signal with a listener stays in memory until its timeout.
		for (const signal of [timeout, cancelled]) signal.removeEventListener('abort', end);
	}
}

/**
 * Returns the failure for an error that a request ended with. n8n may have wrapped the error several times. Unless the
 * error is known to occur before the request is sent, the gateway may have processed the request.
 */
export function failureInConnection(
	thrown: unknown,
	redact: Redact,
	proxy?: object,
): RequestFailure {
	const errors = withCauses(thrown);
	const input = inputErrorIn(errors);
	if (input) {
		const { message, description } = input;
		const { causeName } = input as Partial<InvalidInput>;
		return {
			kind: 'invalidInput',
			error: new InvalidInput(redact(message), redact(description ?? ''), undefined, causeName),
			// The fields were checked before the request, so the request hook rejected the credential.
			isInSetup: true,
		};
	}
	const blocked = errors.find(({ name }) => name?.startsWith('SsrfBlocked'));
	if (blocked) {
		const reason = redact(`${blocked.message}. ${blocked.description ?? ''}`.trim());
		return { kind: 'notSent', cause: 'blocked', reason };
	}
	if (errors.some(({ message }) => message?.startsWith('Proxy connection ended before'))) {
		return { kind: 'notSent', cause: 'proxyClosed' };
	}
	const code = errors.map((error) => error.code).find((value) => typeof value === 'string');
	const hasNoConnection = errors.some(isConnectError);
	if (proxy && hasNoConnection) return { kind: 'notSent', cause: 'proxyUnreachable' };
	const isSecuring = errors.some(({ request }) => request?.socket?.secureConnecting === true);
	return connectionFailure(code ?? '', hasNoConnection || isSecuring);
}

const isConnectError = ({ syscall, errors = [] }: ErrorDetails): boolean =>
	/^(connect|getaddrinfo|query\w*)$/.test(syscall ?? '') || errors.some(isConnectError);

/** Makes n8n return the response as a stream, so that readAll can limit its size, because n8n does not. */
export const STREAMED = {
	encoding: 'stream',
	// Otherwise n8n sends the request again after a 401, and throws errors that contain the URL and with it the token.
	ignoreHttpStatusErrors: true,
	returnFullResponse: true,
} as const;

const connectionError = (code: string) => Object.assign(new Error(code), { code });

/** No gateway's response is nearly as large. */
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;

/** Returns the whole body, or throws if it is too large. Uses events because they cost less than an async iterator. */
export async function readAll(body: Body, maxBytes = MAX_RESPONSE_BYTES): Promise<Buffer> {
	// A destroyed stream emits no further event, so the promise below would never settle.
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
