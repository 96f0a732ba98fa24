import { retryPolicy } from '../../../gateway/errors/retryPolicy';
import type { Failed, Result } from '../../../gateway/replies/failure';
import type { Message, Sender } from './message';
import type { RunPace } from './runPace';
import type { Attempt } from './schedule';

export interface RetryOptions {
	/** With 1, nothing is retried. */
	maxAttempts: number;
	/** Aborts the waiting; no attempt starts after that. */
	cancelled: AbortSignal;
	/** No first attempt starts after that; a message that has been attempted is still retried. */
	noNewMessages: AbortSignal;
}

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
export async function sendWithRetries<M extends Message, Value>(
	message: M,
	sender: Sender<M, Value>,
	pace: RunPace,
	options: RetryOptions,
): Promise<Result<Value[]> | undefined> {
	const { parts } = message;
	const { cancelled } = options;
	const values: Value[] = [];
	for (const part of parts) {
		const ofPart = values.length === 0 ? options : { ...options, noNewMessages: cancelled };
		const result = await sendPart(message, part, sender, pace, ofPart);
		// Whoever waits needs longer to react than the caller, which may stop the run.
		pace.schedule.notify();
		if (!result) return undefined;
		if ('failure' in result) {
			const sent = { sent: values.length, of: parts.length };
			return parts.length > 1 ? { ...result, parts: sent } : result;
		}
		values.push(result.value);
	}
	return { value: values };
}

/** Sends until it succeeds or a retry makes no sense. */
async function sendPart<M extends Message, Value>(
	message: M,
	part: M['parts'][number],
	sender: Sender<M, Value>,
	pace: RunPace,
	{ maxAttempts, cancelled, noNewMessages }: RetryOptions,
): Promise<Result<Value> | undefined> {
	const { schedule, maxWaitMs } = pace;
	const { clock } = schedule;
	let failed: Failed | undefined;
	let rejections = 0;
	let rejectedAt = Infinity;
	for (let attempts = 1; ; attempts++) {
		const mayStart = failed ? cancelled : noNewMessages;
		const attempt = await attemptOnce(message, part, sender, pace, mayStart);
		if (!attempt) {
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
			await clock.sleepUntil(now + limitedMs, cancelled);
			pace.addHeld(now, clock.now());
		} else {
			const counted = attempts - rejections;
			const mayRetry = retry === 'safe' || (retry === 'withKey' && message.hasKey);
			if (!mayRetry || counted >= maxAttempts) return failed;
			const backOff = waitMs ?? backOffMs(counted, clock.random());
			schedule.notify();
			await clock.sleepUntil(now + Math.min(backOff, maxWaitMs), cancelled);
		}
	}
}

/** Undefined if it may not start. What it has loaded is not kept during the wait for the next one. */
async function attemptOnce<M extends Message, Value>(
	message: M,
	part: M['parts'][number],
	sender: Sender<M, Value>,
	pace: RunPace,
	mayStart: AbortSignal,
): Promise<Attempt<Value> | undefined> {
	if (mayStart.aborted || pace.givenUp) return undefined;
	const loaded = await sender.load(part);
	if (loaded && 'failure' in loaded) return mayStart.aborted ? undefined : loaded;
	const send = async () => await sender.attempt(message, part, loaded?.value);
	return await pace.schedule.message(pace, send, mayStart);
}
