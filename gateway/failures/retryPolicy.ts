import { repeatOf, type RequestFailure } from '../responses/failure';
import { InvalidInput } from '../inputValues';
import type { GatewayResponse } from '../wire/response';

interface RetryPolicy {
	/** `withKey` means that the gateway may have processed the request, so only an idempotency key makes a retry safe. */
	mayRepeat: 'safe' | 'withKey' | 'never';
	/** The wait that the gateway, or the server of a file, asks for. */
	requestedWaitMs?: number;
	/** Whether the response is about a limit of the account or of a chat, and not about this request. */
	isRateLimit?: boolean;
	/** Whether the same request may succeed later without any change of its input or setup. */
	isTemporary: boolean;
}

/** Returns whether a failed request may be sent again: what the table says of its cause, and the wait that the gateway asks for. */
export function retryPolicy(failure: RequestFailure, hasKey = false): RetryPolicy {
	if (failure.kind === 'notUsable') return { mayRepeat: 'never', isTemporary: false };
	if (failure.kind === 'invalidInput') {
		// `temporary` is set if the same input may be valid later.
		const later = failure.error instanceof InvalidInput ? failure.error.temporary : undefined;
		return { mayRepeat: later ? 'safe' : 'never', isTemporary: later !== undefined, ...later };
	}
	const { cause } = failure;
	const repeat = failure.kind === 'unclear' ? 'withKey' : repeatOf(cause);
	const mayRepeat = repeat === 'later' ? 'never' : repeat;
	// A response that is too large will be too large again.
	const isTemporary = mayRepeat !== 'never' && cause !== 'tooLarge';
	if (failure.kind !== 'rejected') return { mayRepeat, isTemporary };
	const { response, receivedAt } = failure;
	const isRateLimit = cause === 'rate_limit_exceeded';
	const requestedWaitMs = retryAfterMs(response, receivedAt);
	// Gateways also use these to reject a key while the first request with it is in progress.
	const isUnnamed = cause === 'conflict' || (cause === 'rejected' && response.status === 425);
	if (hasKey && isUnnamed) return { mayRepeat: 'withKey', requestedWaitMs, isTemporary: true };
	return { mayRepeat, requestedWaitMs, isRateLimit, isTemporary };
}

/** Returns the wait in Retry-After, which is in seconds or a date. A date is compared with the gateway's own clock, if that is known. */
export function retryAfterMs({ headers }: GatewayResponse, receivedAt: number): number | undefined {
	const value = headers['retry-after']?.trim() ?? '';
	if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
	const date = Date.parse(value);
	if (Number.isNaN(date) || !/[a-z]/i.test(value)) return undefined;
	const gatewayTime = Date.parse(headers.date ?? '');
	return Math.max(0, date - (Number.isNaN(gatewayTime) ? receivedAt : gatewayTime));
}
