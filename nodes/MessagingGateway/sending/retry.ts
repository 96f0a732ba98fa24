import { retryPolicy } from '../../../gateway/errors/retryPolicy';
import type { Failed, Result } from '../../../gateway/replies/failure';
import type { Message, Sender } from './message';
import type { RunPace } from './runPace';

/** What the messages of a run to an account have in common. */
export interface RetryContext<M extends Message, Value> {
	sender: Sender<M, Value>;
	pace: RunPace;
	/** With 1, nothing is retried. */
	maxAttempts: number;
	/** Aborts the waiting; no attempt starts after that. */
	cancelled: AbortSignal;
	/** No first attempt starts after that; a message that has been attempted is still retried. */
	noNewMessages: AbortSignal;
}

/** Doubles with each attempt; the random half keeps clients from retrying all at the same time. */
const FIRST_BACK_OFF_MS = 500;
const MAX_REJECTIONS = 30;

/**
 * Sends the parts of a message one after the other until one fails. A message of which a part was sent is completed
 * even if no other message may start. Undefined if it was stopped before the first attempt.
 */
export async function sendWithRetries<M extends Message, Value>(
	message: M,
	context: RetryContext<M, Value>,
): Promise<Result<Value[]> | undefined> {
	const { parts } = message;
	const { cancelled } = context;
	const values: Value[] = [];
	for (const part of parts) {
		const ofPart = values.length === 0 ? context : { ...context, noNewMessages: cancelled };
		const result = await sendPart(message, part, ofPart);
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
	context: RetryContext<M, Value>,
): Promise<Result<Value> | undefined> {
	const { pace, maxAttempts, cancelled, noNewMessages } = context;
	const { schedule } = message.account;
	const { clock } = schedule;
	const { maxWaitMs } = pace;
	let failed: Failed | undefined;
	let rejections = 0;
	let rejectedAt = Infinity;
	for (let attempts = 1; ; attempts++) {
		const mayStart = failed ? cancelled : noNewMessages;
		const attempt = await attemptOnce(message, part, context, mayStart);
		if (!attempt) {
			if (failed || mayStart.aborted) return failed;
			return pace.givenUp && { failure: pace.givenUp, attempts: 0 };
		}
		const { result, limitedMs } = attempt;
		if ('value' in result) return result;
		const { failure } = result;
		const { retry, waitMs } = retryPolicy(failure, clock.date());
		failed = { failure, attempts, isUncertain: failed?.isUncertain || retry === 'withKey' };
		if (pace.givenUp || maxAttempts === 1) return failed;
		const now = clock.now();
		let delayMs = limitedMs;
		if (delayMs !== undefined) {
			rejections += 1;
			rejectedAt = Math.min(rejectedAt, now);
			// The run goes on, so other messages are accepted: it is the chat that is limited.
			const isLasting = rejections > MAX_REJECTIONS || (waitMs ?? 0) > maxWaitMs;
			if (isLasting && now - rejectedAt > maxWaitMs - 1) return failed;
		} else {
			const counted = attempts - rejections;
			const mayRetry = retry === 'safe' || (retry === 'withKey' && message.hasKey);
			if (!mayRetry || counted >= maxAttempts) return failed;
			const backOffMs = FIRST_BACK_OFF_MS * 2 ** (counted - 1) * (1 - clock.random() / 2);
			delayMs = Math.min(waitMs ?? backOffMs, maxWaitMs);
		}
		schedule.notify();
		await clock.sleepUntil(now + delayMs, cancelled, pace.stopped);
		if (limitedMs !== undefined) pace.addHeld(now, clock.now());
	}
}

/** Undefined if it may not start. What it loads is not kept until the next attempt. `limitedMs`: the wait after a 429. */
async function attemptOnce<M extends Message, Value>(
	message: M,
	part: M['parts'][number],
	{ sender, pace }: RetryContext<M, Value>,
	mayStart: AbortSignal,
): Promise<{ result: Result<Value>; limitedMs?: number } | undefined> {
	if (mayStart.aborted || pace.givenUp) return undefined;
	const loaded = await sender.load(part);
	if (loaded && 'failure' in loaded) return mayStart.aborted ? undefined : { result: loaded };
	const { schedule } = message.account;
	const ticket = await schedule.start(pace, mayStart);
	if (!ticket) return undefined;
	const result = await sender.attempt(message, part, loaded?.value);
	return { result, limitedMs: schedule.end(pace, ticket, result) };
}
