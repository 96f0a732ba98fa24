import { causeOf, namedCause, repeatOf } from './causes';
import { LIMIT_RESETS, type RequestFailure } from '../responses/failure';
import { InvalidInput } from '../invalidInput';
import type { GatewayResponse } from '../wire/response';

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

/** Returns whether a failed request may be sent again: what the table says of its cause, and the wait that the gateway asks for. */
export function retryPolicy(failure: RequestFailure, hasKey = false): RetryPolicy {
	if (failure.kind === 'notUsable') return policy('never');
	if (failure.kind === 'invalidInput') {
		// `temporary` is set if the same input may be valid later.
		const later = failure.error instanceof InvalidInput ? failure.error.temporary : undefined;
		return policy(later ? 'safe' : 'never', later);
	}
	const cause = causeOf(failure);
	const repeat = failure.kind === 'unclear' ? 'withKey' : repeatOf(cause);
	const mayRepeat = repeat === 'later' ? 'never' : repeat;
	// A response that is too large will be too large again.
	if (failure.kind !== 'rejected')
		return policy(mayRepeat, cause === 'tooLarge' ? { isTemporary: false } : {});
	const { response, receivedAt } = failure;
	const requestedWaitMs = retryAfterMs(response, receivedAt);
	if (cause === 'rate_limit_exceeded') {
		return policy('safe', {
			requestedWaitMs: requestedWaitMs ?? limitResetMs(response, receivedAt),
			isRateLimit: true,
		});
	}
	// Gateways also use these to reject a key while the first request with it is in progress.
	const mayBeInProgress = hasKey && [409, 425].includes(response.status) && !namedCause(response);
	return policy(mayBeInProgress ? 'withKey' : mayRepeat, { requestedWaitMs });
}

const policy = (mayRepeat: RetryPolicy['mayRepeat'], more?: Partial<RetryPolicy>): RetryPolicy => ({
	mayRepeat,
	isRateLimit: false,
	isTemporary: mayRepeat !== 'never',
	...more,
});

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
