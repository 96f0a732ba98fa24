import {
	type IExecuteFunctions,
	type IExecuteSingleFunctions,
	type IHttpRequestOptions,
	type IN8nHttpFullResponse,
	type IPollFunctions,
	NodeOperationError,
} from 'n8n-workflow';

import { errorCode } from '../../../gateway/replies/errorResponse';
import {
	BLOCKED_BY_N8N,
	connectionFailure,
	type Failed,
	PROXY_CLOSED,
	type RequestFailure,
	RESPONSE_TOO_LARGE,
	type Result,
	TIMEOUT,
} from '../../../gateway/replies/failure';
import { InvalidInput } from '../../../gateway/invalidInput';
import { type Confirmation, rejectionIn } from '../../../gateway/replies/outcome';
import type { Redact } from '../../../gateway/wire/redaction';
import { type GatewayResponse, readResponse } from '../../../gateway/wire/response';
import { type Account, CREDENTIAL } from './account';
import { timeoutMs } from './connectionOptions';

export type Context = IExecuteFunctions | IExecuteSingleFunctions | IPollFunctions;

/**
 * Sends a request. The only way to the gateway: every operation and the trigger use it. n8n runs the request hook of
 * the credential (credentials/requestHook.ts), which fills in URL, token and signature.
 */
export async function sendRequest(
	context: Context,
	account: Account,
	request: IHttpRequestOptions,
	confirmation?: Confirmation,
): Promise<Result<GatewayResponse>> {
	const send = async (): Promise<Result<GatewayResponse>> => {
		try {
			const response = readResponse(await receive(context, account, request), account.redact);
			const failure = rejectionIn(response, confirmation);
			return failure ? { failure } : { value: response };
		} catch (thrown) {
			return { failure: requestFailure(thrown, account.redact) };
		}
	};
	const { clockSkew } = account;
	const signedWith = clockSkew.offset;
	const result = await send();
	if (!isRejectedWith401(result) || !clockSkew.learn(result.failure.response, signedWith)) {
		return result;
	}
	// This machine's clock is wrong. The request hook shares the account's clock skew, and now signs with the gateway's
	// time. This is part of the same attempt: the gateway processed nothing.
	const signedAgainWith = clockSkew.offset;
	const second = await send();
	if (!isRejectedWith401(second)) return second;
	clockSkew.drop(signedAgainWith);
	// If a proxy set the Date header, the second rejection is about that time, not about the actual cause.
	return errorCode(result.failure.response) === 'invalid_signature' ? result : second;
}

type Rejected = Failed & { failure: Extract<RequestFailure, { kind: 'rejected' }> };

const isRejectedWith401 = (result: Result<unknown>): result is Rejected =>
	'failure' in result &&
	result.failure.kind === 'rejected' &&
	result.failure.response.status === 401;

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
export const inputFailure = (thrown: unknown): RequestFailure => ({
	kind: 'invalidInput',
	error: inputErrorIn(withCauses(thrown)) ?? (thrown as Error),
});

/**
 * The failure behind an error that a request ended with, which n8n may have wrapped several times. Whatever the error
 * is, the gateway may have processed the request, unless the error is known to come before that.
 */
export function requestFailure(thrown: unknown, redact: Redact): RequestFailure {
	const errors = withCauses(thrown);
	const input = inputErrorIn(errors);
	if (input) {
		const { message, description } = input;
		return {
			kind: 'invalidInput',
			error: new InvalidInput(redact(message), redact(description ?? '')),
		};
	}
	const blocked = errors.find(({ name }) => name?.startsWith('SsrfBlocked'));
	if (blocked) {
		const reason = redact(`${blocked.message}. ${blocked.description ?? ''}`.trim());
		return { kind: 'notSent', code: BLOCKED_BY_N8N, reason };
	}
	if (errors.some(({ message }) => message?.startsWith('Proxy connection ended before'))) {
		return connectionFailure(PROXY_CLOSED);
	}
	const code = errors.map((error) => error.code).find((value) => typeof value === 'string');
	return connectionFailure(code ?? '', errors.some(isConnecting));
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

/** Whether there was no connection yet, or no TLS connection. */
const isConnecting = ({ syscall, errors = [], request }: ErrorDetails): boolean =>
	/^(connect|getaddrinfo|query\w*)$/.test(syscall ?? '') ||
	request?.socket?.secureConnecting === true ||
	errors.some(isConnecting);

/** Far more than any response of a gateway. */
const MAX_BYTES = 16 * 1024 * 1024;

export class ConnectionError extends Error {
	constructor(readonly code: string) {
		super(code);
	}
}

/**
 * Receives the response as a stream, with limits for its size and for the time of the whole request: n8n limits
 * neither. Error statuses are not thrown, because n8n would send a request with a 401 again, and its errors
 * contain the URL, and with it the token.
 */
async function receive(context: Context, { credentials }: Account, request: IHttpRequestOptions) {
	return await withinTimeout(context, timeoutMs(request), async ({ signal }) => {
		const { body, headers, statusCode } = (await context.helpers.httpRequestWithAuthentication.call(
			withCancelSignal(context, signal),
			CREDENTIAL,
			{
				...request,
				// n8n resolves it with the credential of the first item. The request hook knows the right one.
				baseURL: undefined,
				...STREAMED,
			},
			{ credentialsDecrypted: { id: '', name: '', type: CREDENTIAL, data: credentials } },
		)) as IN8nHttpFullResponse;
		return { status: statusCode, headers, bytes: await readAll(body as unknown as Body) };
	});
}

export const STREAMED = {
	encoding: 'stream',
	ignoreHttpStatusErrors: true,
	returnFullResponse: true,
} satisfies Partial<IHttpRequestOptions>;

/** Aborted after the time, when the user cancels the execution, and when the request fails. */
export async function withinTimeout<T>(
	context: Context,
	ms: number,
	request: (abort: AbortController) => Promise<T>,
): Promise<T> {
	const timeout = AbortSignal.timeout(ms);
	const cancelled = cancelSignal(context);
	const abort = new AbortController();
	const onAbort = () => abort.abort();
	for (const signal of [timeout, cancelled]) signal.addEventListener('abort', onAbort);
	if (cancelled.aborted) onAbort();
	try {
		return await request(abort);
	} catch (thrown) {
		// Closes the connection. Destroying the stream of the response does not: axios wraps it.
		onAbort();
		throw timeout.aborted && !cancelled.aborted ? new ConnectionError(TIMEOUT) : thrown;
	} finally {
		// A signal with a listener stays in memory until its timeout.
		for (const signal of [timeout, cancelled]) signal.removeEventListener('abort', onAbort);
	}
}

/** Aborted when the user cancels the execution. A trigger has none, so each of its requests gets one of its own. */
export const cancelSignal = (context: Context): AbortSignal =>
	('getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined) ??
	new AbortController().signal;

/** n8n aborts a request only by the signal of the context that its helper is called on. */
export const withCancelSignal = (context: Context, signal: AbortSignal): Context =>
	Object.create(context, { getExecutionCancelSignal: { value: () => signal } }) as Context;

export type Body = NodeJS.ReadableStream & {
	destroyed: boolean;
	readableEnded: boolean;
	destroy: (error: Error) => void;
};

/** Throws if the body is too large. Events cost less than an async iterator. */
export async function readAll(body: Body, maxBytes = MAX_BYTES): Promise<Buffer> {
	// No event follows.
	if (body.destroyed) throw new ConnectionError('ECONNRESET');
	const chunks: Buffer[] = [];
	let length = 0;
	await new Promise<void>((resolve, reject) => {
		body.on('data', (chunk: Buffer) => {
			length += chunk.length;
			if (length > maxBytes) body.destroy(new ConnectionError(RESPONSE_TOO_LARGE));
			else chunks.push(chunk);
		});
		body.on('end', resolve);
		body.on('error', reject);
		body.on('close', () => {
			if (!body.readableEnded) reject(new ConnectionError('ECONNRESET'));
		});
	});
	return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
}
