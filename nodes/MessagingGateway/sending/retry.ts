import type { Failed, Result } from '../../../gateway/replies/failure';
import { retryPolicy } from '../../../gateway/errors/retryPolicy';
import type { RunPace } from './runPace';
import type { Attempt } from './schedule';

export interface RetryOptions {
	/** Of the run and the account. */
	pace: RunPace;
	/** With 1, nothing is retried. */
	maxAttempts: number;
	/** Whether the message carries an idempotency key, which makes a retry safe in every case. */
	hasKey: boolean;
	/** How many requests it takes; each has its own attempts. Default: 1. */
	parts?: number;
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

/** Sends a part of a message. `before` is the value of the part before it. */
export type SendPart<Value> = (part: number, before?: Value) => Promise<Result<Value>>;

const FIRST_BACK_OFF_MS = 500;
/** After more 429s, in Max Wait, it is the chat that is limited: the run goes on, so others are accepted. */
const MAX_REJECTIONS = 30;

/** Doubles with each attempt; the random half keeps clients from retrying all at the same time. */
const backOffMs = (attempts: number, random: number) =>
	FIRST_BACK_OFF_MS * 2 ** (attempts - 1) * (1 - random / 2);

/**
 * Sends the parts of a message one after the other until one fails. A message of which a part was sent is completed
 * even if no other message may start. Undefined if it was stopped before the first attempt.
 */
export async function sendMessage<Value>(
	send: SendPart<Value>,
	options: RetryOptions,
): Promise<Result<Value> | undefined> {
	const { parts = 1, stop, signal, pace } = options;
	let before: Value | undefined;
	for (let part = 0; ; part++) {
		const attempt = async () => await send(part, before);
		const result = await sendPart(attempt, { ...options, stop: part === 0 ? stop : signal });
		// Whoever waits needs longer to react than the caller, which may stop the run.
		pace.schedule.notify();
		if (!result) return undefined;
		if ('failure' in result && parts > 1) return { ...result, parts: { sent: part, of: parts } };
		if ('failure' in result || part + 1 >= parts) return result;
		before = result.value;
	}
}

/** Sends until it succeeds or a retry makes no sense. */
async function sendPart<Value>(
	send: () => Promise<Result<Value>>,
	{ pace, maxAttempts, hasKey, load, signal, stop = signal }: RetryOptions,
): Promise<Result<Value> | undefined> {
	const { schedule, maxWaitMs } = pace;
	const { clock } = schedule;
	let failed: Failed | undefined;
	let rejections = 0;
	let rejectedAt = Infinity;
	for (let attempts = 1; ; attempts++) {
		const mayStart = failed ? signal : stop;
		const unloaded = mayStart.aborted || pace.givenUp ? undefined : await load?.();
		const attempt: Attempt<Value> | undefined =
			unloaded ?? (await schedule.message(pace, send, mayStart));
		if (!attempt || (unloaded && mayStart.aborted)) {
			const { givenUp } = pace;
			return (
				failed ?? (givenUp && !mayStart.aborted ? { failure: givenUp, attempts: 0 } : undefined)
			);
		}
		if ('value' in attempt) return attempt;
		const { failure, limitedMs } = attempt;
		const { retry, waitMs } = retryPolicy(failure, clock.date());
		failed = { failure, attempts, isUncertain: failed?.isUncertain || retry === 'withKey' };
		if (pace.givenUp || maxAttempts === 1) return failed;
		const now = clock.now();
		if (limitedMs !== undefined) {
			rejections += 1;
			rejectedAt = Math.min(rejectedAt, now);
			const isLasting = rejections > MAX_REJECTIONS || (waitMs ?? 0) > maxWaitMs;
			if (isLasting && rejections > 1 && now - rejectedAt > maxWaitMs - 1) return failed;
			schedule.notify();
			await clock.sleepUntil(now + limitedMs, signal);
			pace.addHeld(now, clock.now());
		} else {
			const counted = attempts - rejections;
			const mayRetry = retry === 'safe' || (retry === 'withKey' && hasKey);
			if (!mayRetry || counted >= maxAttempts) return failed;
			const backOff = waitMs ?? backOffMs(counted, clock.random());
			schedule.notify();
			await clock.sleepUntil(now + Math.min(backOff, maxWaitMs), signal);
		}
	}
}
