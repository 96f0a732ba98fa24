import { causeOf, namedCause, repeatOf } from './causes';
import type { RequestFailure } from '../responses/failure';
import { InvalidInput } from '../inputValues';
import { limitResetMs, retryAfterMs } from '../wire/retryAfter';

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
