import type { Failed, Result } from '../../../gateway/failure';
import type { RateLimiter, Ticket } from '../../../gateway/rateLimiter';
import { retryPolicy } from '../../../gateway/retryPolicy';
import type { Clock } from './clock';
import type { MessageRate } from './messageRate';

export interface RetryOptions {
	clock: Clock;
	rateLimiter: RateLimiter;
	/** Without it, only the rate limiter applies. */
	messageRate?: MessageRate;
	maxAttempts: number;
	/** The longest wait before a retry, even if the gateway asks for more. */
	maxWaitMs: number;
	/** Whether the request carries an idempotency key, which makes a retry safe in every case. */
	hasKey: boolean;
	/** Aborts the waiting; no attempt starts after that. */
	signal: AbortSignal;
	/** No first attempt starts after that; a message that has been attempted is still retried. */
	stop?: AbortSignal;
	/** No attempt starts after this time of the clock. */
	deadline?: number;
}

const FIRST_BACK_OFF_MS = 500;

/** Doubles with each attempt; the random half keeps clients from retrying all at the same time. */
const backOffMs = (attempts: number, random: number) =>
	FIRST_BACK_OFF_MS * 2 ** (attempts - 1) * (1 - random / 2);

/**
 * Sends until it succeeds or a retry makes no sense. After a 429, the rate limiter holds all requests of the account for
 * the announced time; the 429 was an attempt, waiting is none. Undefined if it was stopped before the first attempt.
 */
export async function sendWithRetries<Value>(
	send: () => Promise<Result<Value>>,
	options: RetryOptions,
): Promise<Result<Value> | undefined> {
	const { clock, rateLimiter, maxAttempts, maxWaitMs, hasKey, signal, stop = signal } = options;
	let failed: Failed | undefined;
	for (let attempts = 1; ; attempts++) {
		const ticket = await nextTurn(options, failed ? signal : stop);
		if (ticket === undefined) return failed;
		let pauseMs: number | undefined;
		let retryAt: number;
		try {
			const result = await send();
			if ('value' in result) return result;
			const { failure } = result;
			const { retry, isRateLimit, ...policy } = retryPolicy(failure, clock.date());
			const waitMs = Math.min(policy.waitMs ?? backOffMs(attempts, clock.random()), maxWaitMs);
			if (isRateLimit) pauseMs = waitMs;
			failed = { failure, attempts, isUncertain: failed?.isUncertain || retry === 'withKey' };
			const mayRetry = retry === 'safe' || (retry === 'withKey' && hasKey);
			if (!mayRetry || attempts >= maxAttempts) return failed;
			retryAt = clock.now() + waitMs;
		} finally {
			rateLimiter.release(ticket, clock.now(), pauseMs);
		}
		await clock.sleepUntil(retryAt, signal);
	}
}

/** Waits for the rate limiter and the message rate. Undefined if the signal or the deadline comes first. */
async function nextTurn(options: RetryOptions, signal: AbortSignal): Promise<Ticket | undefined> {
	const { clock, rateLimiter, messageRate, deadline = Infinity } = options;
	const isOver = () => signal.aborted || clock.now() >= deadline;
	while (!isOver()) {
		const ticket = rateLimiter.tryAcquire(clock.now());
		if (ticket === undefined) {
			const nextTry = rateLimiter.nextTry(clock.now());
			await clock.sleepUntil(Math.min(nextTry, deadline), signal);
			continue;
		}
		if (!messageRate) return ticket;
		await clock.sleepUntil(messageRate.next(clock.now()), signal);
		if (!rateLimiter.isPaused(clock.now()) && !signal.aborted) return ticket;
		rateLimiter.giveBack(ticket);
	}
	return undefined;
}
