import type { IHttpRequestOptions } from 'n8n-workflow';

import { PAUSED, type RequestFailure } from '../../../gateway/failure';
import type { RateLimiter } from '../../../gateway/rateLimiter';
import { sendWithRetries } from '../sending/retry';
import type { Account } from './account';
import { timeoutMs } from './connectionOptions';
import { cancelSignal, type Context, type RequestResult, sendRequest } from './sendRequest';
import { steadyClock } from './steadyClock';

/** A 429 holds back the account's other requests no longer than this. */
const MAX_PAUSE_MS = 60_000;
/** A request that starts just before the deadline gets this long. */
const MIN_TIMEOUT_MS = 1_000;

/**
 * Sends a request, without retries, when the account's rate limiter allows it. It starts before the deadline, a
 * time of the steady clock, and ends by then or a second after its start. Undefined if the execution is cancelled or
 * the deadline has passed already.
 */
export async function requestOnce(
	context: Context,
	account: Account,
	request: IHttpRequestOptions,
	deadline = Infinity,
): Promise<RequestResult | undefined> {
	const signal = cancelSignal(context);
	const sent = await sendWithRetries(
		async () => {
			const left = Math.max(MIN_TIMEOUT_MS, Math.ceil(deadline - steadyClock.now()));
			const timeout = Math.min(timeoutMs(request), left);
			const result = await sendRequest(context, account, { ...request, timeout });
			return 'response' in result ? { result: result.response } : result;
		},
		{
			clock: steadyClock,
			rateLimiter: account.state.rateLimiter,
			maxAttempts: 1,
			maxWaitMs: MAX_PAUSE_MS,
			hasKey: false,
			signal,
			deadline,
		},
	);
	if (sent) return 'result' in sent ? { response: sent.result } : { failure: sent.failure };
	const { rateLimiter } = account.state;
	const isHeldBack = !signal.aborted && rateLimiter.isLimiting(steadyClock.now());
	return isHeldBack ? { failure: heldBack(rateLimiter) } : undefined;
}

function heldBack({ pausedUntil }: RateLimiter): RequestFailure {
	const left = pausedUntil - steadyClock.now();
	const until = new Date(steadyClock.date() + left);
	// After the pause, other requests of the account may come first.
	const reason = left > 0 ? until.toISOString().replace(/\.\d+/, '') : undefined;
	return { kind: 'notSent', code: PAUSED, reason };
}
