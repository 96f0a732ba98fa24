import type { Action } from '../api/endpoints';
import { HttpError, type HttpResponse, jsonResponse } from '../http/response';
import type { Fault } from './fault';

const DEFAULT_CODES: Record<number, string> = {
	401: 'unauthorized',
	402: 'insufficient_balance',
	403: 'ip_not_allowed',
	404: 'not_found',
	409: 'payg_confirm_required',
	422: 'validation_error',
	429: 'rate_limit_exceeded',
	500: 'internal_error',
	502: 'bad_gateway',
	503: 'service_unavailable',
	504: 'gateway_timeout',
};

/** Runs the action of a request with a fault. Returns `cut` if the connection must close without a response. */
export async function runWithFault(
	fault: Fault,
	action: Action,
	signal: AbortSignal,
): Promise<HttpResponse | 'cut'> {
	const injected = injectedResponse(fault);
	if (fault.cut === 'before' || (injected && !fault.after && fault.cut !== 'after')) {
		await delay(fault, signal);
		return fault.cut ? 'cut' : (injected as HttpResponse);
	}
	// The action runs before the delay: if the client times out, its message has still been sent.
	const response = await runAction(action);
	await delay(fault, signal);
	if (response.status >= 400) return response;
	if (fault.cut) return 'cut';
	return injected ?? { ...response, headers: { ...response.headers, ...fault.headers } };
}

async function runAction(action: Action): Promise<HttpResponse> {
	try {
		return await action();
	} catch (error) {
		if (error instanceof HttpError) return error.toResponse();
		throw error;
	}
}

async function delay({ latencyMs = 0 }: Fault, signal: AbortSignal): Promise<void> {
	if (latencyMs === 0) return;
	await new Promise<void>((resolve, reject) => {
		const onAbort = () => {
			clearTimeout(timer);
			reject(signal.reason as Error);
		};
		// Jest's fake timers do not replace node:timers/promises, so this is a plain timer.
		const timer = setTimeout(() => {
			signal.removeEventListener('abort', onAbort);
			resolve();
		}, latencyMs);
		signal.addEventListener('abort', onAbort);
		if (signal.aborted) onAbort();
	});
}

/** Returns the response of the fault. Returns undefined without a status and a body, for example if the fault only delays. */
function injectedResponse(fault: Fault): HttpResponse | undefined {
	if (fault.status === undefined && fault.body === undefined) return undefined;
	const response = fault.body ? bodyResponse(fault.body, fault.status) : statusResponse(fault);
	if (fault.retryAfter !== undefined) response.headers['Retry-After'] = String(fault.retryAfter);
	Object.assign(response.headers, fault.headers);
	return response;
}

function bodyResponse(body: NonNullable<Fault['body']>, status = 200): HttpResponse {
	return {
		status,
		headers: { 'Content-Type': body.contentType },
		body: 'text' in body ? Buffer.from(body.text) : Buffer.from(body.base64, 'base64'),
	};
}

function statusResponse({ status = 500, code, message }: Fault): HttpResponse {
	if (status < 300) return jsonResponse(status, { success: true });
	return jsonResponse(status, {
		error: code ?? DEFAULT_CODES[status] ?? `status_${status}`,
		message: message ?? 'The sandbox simulates this error.',
	});
}
