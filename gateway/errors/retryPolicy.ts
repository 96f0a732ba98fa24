import { errorCode, gatewayError, isDocumentedCode, RATE_LIMIT } from '../replies/dialect';
import {
	LIMIT_RESETS,
	type NotSentCause,
	type RequestFailure,
	RESPONSE_TOO_LARGE,
} from '../replies/failure';
import { isObject } from '../json';
import { isOffline } from '../replies/sessionStatus';
import { InvalidInput } from '../invalidInput';
import { type GatewayResponse, isWebPage } from '../wire/response';

interface RetryPolicy {
	/** `withKey` means that the gateway may have processed the request, so only an idempotency key makes a retry safe. */
	mayRepeat: 'safe' | 'withKey' | 'never';
	/** The wait that the gateway, or the server of a file, asks for. */
	requestedWaitMs?: number;
	/** Whether the response is about a limit of the account or of a chat, and not about this request. */
	isRateLimit: boolean;
	/** Whether the same request may succeed later without any change of its input or setup. */
	isTemporary: boolean;
}

/** These failures last until the user changes the setup, so a retry cannot help. */
const PERMANENT_CAUSES: NotSentCause[] = ['certificate', 'tls', 'blocked', 'proxySignIn'];

/** Decides whether a failed request may be retried. `hasKey` says whether it has an idempotency key. */
export function retryPolicy(failure: RequestFailure, hasKey = false): RetryPolicy {
	switch (failure.kind) {
		case 'rejected':
			return rejectionPolicy(failure.response, failure.receivedAt, hasKey);
		case 'notSent':
			return policy(PERMANENT_CAUSES.includes(failure.cause) ? 'never' : 'safe');
		case 'unclear':
			return policy('withKey');
		case 'noResponse':
			// A response that is too large will be too large again.
			return policy('withKey', { isTemporary: failure.code !== RESPONSE_TOO_LARGE });
		case 'notUsable':
			return policy('never');
		case 'invalidInput': {
			// `temporary` is set if the same input may be valid later.
			const later = failure.error instanceof InvalidInput ? failure.error.temporary : undefined;
			return policy(later ? 'safe' : 'never', later);
		}
	}
}

const policy = (retry: RetryPolicy['mayRepeat'], more?: Partial<RetryPolicy>): RetryPolicy => ({
	mayRepeat: retry,
	isRateLimit: false,
	isTemporary: retry !== 'never',
	...more,
});

/** Returns the cause that a response names by its code or text; undefined if only its status shows one. */
export function namedCause(response: GatewayResponse): string | undefined {
	const code = errorCode(response);
	return isDocumentedCode(code) ? code : isOffline(response) ? 'offline' : undefined;
}

function rejectionPolicy(
	response: GatewayResponse,
	receivedAt: number,
	hasKey: boolean,
): RetryPolicy {
	const { status } = response;
	const requestedWaitMs = retryAfterMs(response, receivedAt);
	// Some gateways report errors with a status 2xx, so the code counts too.
	const isRateLimit = status === 429 || errorCode(response) === RATE_LIMIT;
	if (isRateLimit) {
		const resetMs = requestedWaitMs ?? limitResetMs(response, receivedAt);
		return policy('safe', { requestedWaitMs: resetMs, isRateLimit });
	}
	// Gateways also use these to reject a key while the first request with it is in progress.
	const mayBeInProgress = hasKey && [409, 425].includes(status) && !namedCause(response);
	if (mayBeInProgress) return policy('withKey', { requestedWaitMs });
	// A proxy may send a web page with status 2xx while the gateway behind it restarts.
	const isTemporary = status < 300 && isWebPage(response);
	if (status < 500) return policy('never', { requestedWaitMs, isTemporary });
	// A gateway that is closed, e.g. for maintenance, has processed nothing. Any other 5xx may follow the processing, or be from a proxy.
	const { code = '', message = '' } = gatewayError(response.data);
	const isClosed =
		status === 503 &&
		requestedWaitMs !== undefined &&
		isObject(response.data) &&
		CLOSED.test(/^service unavailable$/i.test(code) ? message : `${code} ${message}`);
	return policy(isClosed ? 'safe' : 'withKey', { requestedWaitMs });
}

/** Matches the text of a gateway that is closed. With any other text, it may have begun to process the request. */
const CLOSED =
	/^ ?$|maintenance|unavailable|overload|busy|starting|temporar|capacity|not (yet )?ready|shutting|limit|too many|closed|upgrad|offline/i;

/** Returns the wait in Retry-After, which is in seconds or a date. A date is compared with the gateway's own clock, if that is known. */
export function retryAfterMs({ headers }: GatewayResponse, receivedAt: number): number | undefined {
	const value = headers['retry-after']?.trim() ?? '';
	if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
	const date = Date.parse(value);
	if (Number.isNaN(date) || !/[a-z]/i.test(value)) return undefined;
	return Math.max(0, date - timeOfResponse(headers, receivedAt));
}

function timeOfResponse(headers: GatewayResponse['headers'], receivedAt: number): number {
	const time = Date.parse(headers.date ?? '');
	return Number.isNaN(time) ? receivedAt : time;
}

/** Numbers from here on are seconds, or milliseconds, since the epoch. As a duration, they would be thirty years. */
const EPOCH_SECONDS = 1e9;
const EPOCH_MS = 1e12;

/** Returns the wait until a limit ends, for gateways without Retry-After. In a response other than a 429, the headers ask for no wait. */
function limitResetMs({ headers }: GatewayResponse, receivedAt: number): number | undefined {
	const value = LIMIT_RESETS.map((name) => headers[name]?.trim() ?? '').find((text) =>
		/^\d{1,15}(\.\d{1,9})?$/.test(text),
	);
	if (value === undefined) return undefined;
	const number = Number(value);
	if (number < EPOCH_SECONDS) return number * 1000;
	const time = number < EPOCH_MS ? number * 1000 : number;
	return Math.max(0, time - timeOfResponse(headers, receivedAt));
}
