import { errorCode } from '../replies/dialect';
import {
	type NotSentCause,
	notSentCause,
	type RequestFailure,
	RESPONSE_TOO_LARGE,
} from '../replies/failure';
import { InvalidInput } from '../invalidInput';
import { type GatewayResponse, isWebPage } from '../wire/response';

export interface RetryPolicy {
	/** `withKey`: the gateway may have processed the request, so only an idempotency key makes a retry safe. */
	retry: 'safe' | 'withKey' | 'never';
	/** How long the gateway, or the server of a file, asks to wait. */
	waitMs?: number;
	/** Whether the wait applies to every request of the account. */
	isRateLimit: boolean;
	/** Whether a later request may succeed without anybody changing anything. */
	isTemporary: boolean;
}

/** These stay until the setup is changed. */
const PERMANENT: NotSentCause[] = ['certificate', 'tls', 'blocked', 'proxySignIn'];

/** `now` is the wall clock, in milliseconds. */
export function retryPolicy(failure: RequestFailure, now: number): RetryPolicy {
	const retry = retryOf(failure, now);
	return {
		retry,
		waitMs:
			failure.kind === 'rejected'
				? retryAfterMs(failure.response, now)
				: inputRetry(failure)?.waitMs,
		isRateLimit: isRateLimit(failure),
		// A response that was too large will be too large the next time.
		isTemporary:
			isPageForSuccess(failure) ||
			(retry !== 'never' &&
				!(failure.kind === 'noResponse' && failure.code === RESPONSE_TOO_LARGE)),
	};
}

/** Nothing was sent, and the same input may be valid later. */
const inputRetry = (failure: RequestFailure) =>
	failure.kind === 'invalidInput' && failure.error instanceof InvalidInput
		? failure.error.retry
		: undefined;

/** By the status, or by the code of a gateway that reports errors with a status 2xx. */
const isRateLimit = (failure: RequestFailure) =>
	failure.kind === 'rejected' &&
	(failure.response.status === 429 || errorCode(failure.response) === 'rate_limit_exceeded');

/** A proxy may send a page instead while the gateway behind it restarts. */
const isPageForSuccess = (failure: RequestFailure) =>
	failure.kind === 'rejected' && failure.response.status < 300 && isWebPage(failure.response);

function retryOf(failure: RequestFailure, now: number): RetryPolicy['retry'] {
	if (isRateLimit(failure)) return 'safe';
	switch (failure.kind) {
		case 'rejected':
			return retryOfRejection(failure.response, now);
		case 'notSent':
			return PERMANENT.includes(notSentCause(failure.code)) ? 'never' : 'safe';
		case 'noResponse':
			return 'withKey';
		default:
			return inputRetry(failure) ? 'safe' : 'never';
	}
}

function retryOfRejection(response: GatewayResponse, now: number): RetryPolicy['retry'] {
	if (response.status < 500) return 'never';
	// A gateway that is closed for maintenance has processed nothing; any other 5xx may have come after the work.
	return response.status === 503 && retryAfterMs(response, now) !== undefined ? 'safe' : 'withKey';
}

/** Retry-After as seconds or as a date. A date is relative to the gateway's own clock. */
export function retryAfterMs({ headers }: GatewayResponse, now: number): number | undefined {
	const value = headers['retry-after']?.trim() ?? '';
	if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
	const date = Date.parse(value);
	if (Number.isNaN(date) || !/[a-z]/i.test(value)) return undefined;
	const gatewayTime = Date.parse(headers.date ?? '');
	return Math.max(0, date - (Number.isNaN(gatewayTime) ? now : gatewayTime));
}
