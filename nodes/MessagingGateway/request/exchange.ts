import { type ICredentialTestFunctions, type IDataObject, NodeOperationError } from 'n8n-workflow';

import { bug, isBug } from '../../../gateway/errors/errorMessage';
import {
	connectionFailure,
	type Failed,
	type RequestFailure,
	RESPONSE_TOO_LARGE,
	type Result,
	TIMEOUT,
} from '../../../gateway/replies/failure';
import { InvalidInput, InvalidSetup } from '../../../gateway/invalidInput';
import type { Redact } from '../../../gateway/wire/redaction';
import { cancelSignal, type Context } from '../n8n/cancelSignal';

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
export async function exchange<T>(
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
		return { failure: requestFailure(thrown, redact, proxy) };
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
const MAX_BYTES = 16 * 1024 * 1024;

/** Throws if the body is too large. Events cost less than an async iterator. */
export async function readAll(body: Body, maxBytes = MAX_BYTES): Promise<Buffer> {
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

/** What n8n, axios and Node.js report about an error. */
interface ErrorDetails {
	name?: string;
	message?: string;
	description?: string;
	code?: unknown;
	syscall?: string;
	/** The attempts to connect to each address of a host. */
	errors?: ErrorDetails[];
	request?: { socket?: { secureConnecting?: boolean } };
	cause?: unknown;
}

/** The failure behind an error that occurred before a request: in the input, or where n8n reads it. */
export function failureBeforeRequest(thrown: unknown): Failed {
	const isOfSetup = thrown instanceof InvalidSetup;
	const found = (isOfSetup ? thrown.cause : thrown) as Error;
	const error = inputErrorIn(withCauses(found)) ?? found;
	return isBug(error) ? bug(error) : { failure: { kind: 'invalidInput', error, isOfSetup } };
}

/** Reads what applies to the whole run. If it throws, each item has failed: n8n would pass them on as if they had succeeded. */
export function readForRun<Value>(read: () => Value): Result<Value> {
	try {
		return { value: read() };
	} catch (thrown) {
		return failureBeforeRequest(new InvalidSetup(thrown));
	}
}

/**
 * The failure behind an error that a request ended with, which n8n may have wrapped several times. Whatever the error
 * is, the gateway may have processed the request, unless the error is known to come before that.
 */
export function requestFailure(thrown: unknown, redact: Redact, proxy?: object): RequestFailure {
	const errors = withCauses(thrown);
	const input = inputErrorIn(errors);
	if (input) {
		const { message, description } = input;
		const { named } = input as Partial<InvalidInput>;
		return {
			kind: 'invalidInput',
			error: new InvalidInput(redact(message), redact(description ?? ''), undefined, named),
			// The fields were checked before; the request hook checks the credential.
			isOfSetup: true,
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
	const hasNoConnection = errors.some(isOfConnecting);
	if (proxy && hasNoConnection) return { kind: 'notSent', cause: 'proxyUnreachable' };
	const isSecuring = errors.some(({ request }) => request?.socket?.secureConnecting === true);
	return connectionFailure(code ?? '', hasNoConnection || isSecuring);
}

const MAX_CAUSES = 5;

function withCauses(thrown: unknown): ErrorDetails[] {
	const errors: ErrorDetails[] = [];
	let error = thrown;
	while (typeof error === 'object' && error !== null && errors.length < MAX_CAUSES) {
		errors.push(error);
		error = (error as ErrorDetails).cause;
	}
	return errors;
}

const inputErrorIn = (errors: ErrorDetails[]) =>
	errors.find((error) => error instanceof InvalidInput || error instanceof NodeOperationError);

const isOfConnecting = ({ syscall, errors = [] }: ErrorDetails): boolean =>
	/^(connect|getaddrinfo|query\w*)$/.test(syscall ?? '') || errors.some(isOfConnecting);
