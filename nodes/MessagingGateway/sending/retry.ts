import type { Failed, RequestFailure, Result } from '../../../gateway/failure';
import type { RateResponse, Ticket } from '../../../gateway/rateLimiter';
import { retryPolicy } from '../../../gateway/retryPolicy';
import { type TurnOptions, waitForTurn } from './turn';

export interface RetryOptions extends TurnOptions {
	/** With 1, nothing is retried. */
	maxAttempts: number;
	/** The longest wait before a retry, even if the gateway asks for more. */
	maxWaitMs: number;
	/** Whether the request carries an idempotency key, which makes a retry safe in every case. */
	hasKey: boolean;
	/**
	 * Loads what an attempt needs, such as a file by URL. Before its turn, because slow downloads that end together would
	 * otherwise start together.
	 */
	load?: () => Promise<Failed | undefined>;
	/** Aborts the waiting; no attempt starts after that. */
	signal: AbortSignal;
	/** No first attempt starts after that; a message that has been attempted is still retried. */
	stop?: AbortSignal;
}

const FIRST_BACK_OFF_MS = 500;
/** So many 429s of a message do not count as attempts while the account's messages are delivered. */
const MAX_FREE_ATTEMPTS = 20;

/** Doubles with each attempt; the random half keeps clients from retrying all at the same time. */
const backOffMs = (attempts: number, random: number) =>
	FIRST_BACK_OFF_MS * 2 ** (attempts - 1) * (1 - random / 2);

/**
 * Sends until it succeeds or a retry makes no sense. A 429 does not count as an attempt while the account's messages
 * are delivered. If the run has given up on the account before the first attempt, the message fails for the same
 * reason. Undefined if it was stopped before the first attempt.
 */
export async function sendWithRetries<Value>(
	send: () => Promise<Result<Value>>,
	options: RetryOptions,
): Promise<Result<Value> | undefined> {
	const { clock, turns, pace, maxAttempts, maxWaitMs, hasKey, signal, stop = signal } = options;
	let failed: Failed | undefined;
	let freeAttempts = 0;
	for (let attempts = 1; ; attempts++) {
		const result = await attempt(send, options, failed ? signal : stop);
		if (!result) return failed ?? (pace?.givenUp && { failure: pace.givenUp, attempts: 0 });
		if ('value' in result) return result;
		const { failure } = result;
		const { retry, isRateLimit, waitMs } = retryPolicy(failure, clock.date());
		failed = { failure, attempts, isUncertain: failed?.isUncertain || retry === 'withKey' };
		if (pace?.givenUp) return failed;
		if (isRateLimit && turns.limiter.deliveredWithin(maxWaitMs, clock.now())) freeAttempts += 1;
		const counted = attempts - Math.min(freeAttempts, MAX_FREE_ATTEMPTS);
		const mayRetry = retry === 'safe' || (retry === 'withKey' && hasKey);
		if (!mayRetry || maxAttempts === 1 || counted >= maxAttempts) return failed;
		const backOff = backOffMs(Math.max(1, counted), clock.random());
		const from = clock.now();
		await clock.sleepUntil(from + Math.min(waitMs ?? backOff, maxWaitMs), signal);
		if (isRateLimit) pace?.addHeld(from, clock.now());
	}
}

/** Undefined if the signal or the deadline comes first, or the run gives up. */
async function attempt<Value>(
	send: () => Promise<Result<Value>>,
	options: RetryOptions,
	signal: AbortSignal,
): Promise<Result<Value> | undefined> {
	const { load, pace } = options;
	if (load && !signal.aborted && !pace?.givenUp) {
		const failed = await load();
		if (failed) return signal.aborted ? undefined : failed;
	}
	const ticket = await waitForTurn(options, signal);
	return ticket && (await sendWith(ticket, send, options));
}

/** Reports the response to the rate limiter. */
async function sendWith<Value>(
	ticket: Ticket,
	send: () => Promise<Result<Value>>,
	{ clock, turns, pace, maxWaitMs }: RetryOptions,
): Promise<Result<Value>> {
	let response: RateResponse | undefined;
	let limited: RequestFailure | undefined;
	try {
		const result = await send();
		if ('value' in result) {
			response = { kind: 'delivered' };
		} else if (result.failure.kind === 'rejected') {
			const { isRateLimit, waitMs } = retryPolicy(result.failure, clock.date());
			const pauseMs = Math.min(waitMs ?? backOffMs(1, clock.random()), maxWaitMs);
			response = isRateLimit
				? { kind: 'limited', waitMs: pauseMs, isAnnounced: waitMs !== undefined }
				: { kind: 'other' };
			if (isRateLimit) limited = result.failure;
		}
		return result;
	} finally {
		const isNews = turns.finish(ticket, clock.now(), response);
		if (isNews && limited) pace?.backOff(limited, maxWaitMs);
	}
}
