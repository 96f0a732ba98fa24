import { retryPolicy } from '../../../gateway/failures/retryPolicy';
import type { Failed, RequestFailure, Result } from '../../../gateway/responses/failure';
import type { Pace } from '../../../gateway/wire/account';
import type { RunQueue, Scheduler } from './scheduler';

export interface Message {
	index: number;
	/** Chat order, pace and limit apply per account. Concurrency applies to the whole run. */
	account: { accountKey: string; scheduler: Scheduler; pace?: Pace };
	/** Messages to the same chat are sent one after the other, in order. Undefined means that it may be any chat. */
	chat: string | undefined;
	/** Whether the message has an idempotency key. A retry with a key is always safe. */
	hasKey: boolean;
	parts: unknown[];
}

/** An item without a message, because its input is invalid, or an item whose failure stopped the run. A part of it may have been sent. */
export type FailedItem = Failed & { index: number };

/** Sends the requests of messages. The simulation of test/simulation has a sender of its own. */
export interface Sender<M extends Message, Value> {
	/** Returns why an account may not send. Called once, before its first message. Must resolve soon after the signal is aborted. */
	failureIfNotReady(
		account: M['account'],
		noNewMessagesSignal: AbortSignal,
	): Promise<Failed | undefined>;
	/** Whether to load a part before the message waits for its turn. Otherwise slow downloads that end together would be sent together. */
	loadsEarly(part: M['parts'][number]): boolean;
	/** Loads a part for an attempt, because files of waiting messages need memory. */
	load(message: M, part: M['parts'][number]): Promise<Result<Buffer>>;
	attempt(message: M, part: M['parts'][number], body: Buffer): Promise<Result<Value>>;
	/** Called after the last attempt of a message. Without a result, it was stopped. */
	finish?(message: M, result?: Result<Value[]>): void;
}

export interface AttemptContext<M extends Message, Value> {
	sender: Sender<M, Value>;
	queue: RunQueue;
	/** With 1, nothing is retried, not even after a 429. */
	maxAttempts: number;
	/** Ends all waits when it is aborted. No attempt starts after that. */
	cancelled: AbortSignal;
	/** When it is aborted, no first attempt starts, but retries do. Its reason is LATE if the time to send has passed. */
	noNewMessagesSignal: AbortSignal;
}

/** The wait doubles with each attempt. Half of it is random, so that clients do not all retry at the same time. */
const FIRST_BACK_OFF_MS = 500;
const MAX_429S = 30;

/** The failure of a message whose first attempt has not started when the time to send has passed. */
export const LATE: RequestFailure = { kind: 'notSent', cause: 'late' };

/**
 * Sends the parts of a message one after the other until one fails. Once a part is sent, the message is completed even if no
 * other message may start. Returns undefined if the run stopped before the first attempt, or was cancelled between parts.
 */
export async function sendWithRetries<M extends Message, Value>(
	message: M,
	context: AttemptContext<M, Value>,
): Promise<Result<Value[]> | undefined> {
	const { parts } = message;
	const { cancelled } = context;
	const values: Value[] = [];
	for (const part of parts) {
		// A message that has begun is completed.
		const mayStop = values.length === 0;
		const ofPart = mayStop ? context : { ...context, noNewMessagesSignal: cancelled };
		const result = await sendPart(message, part, ofPart);
		if (!result) return undefined;
		if ('failure' in result) {
			if (parts.length === 1) return result;
			// If a part was sent, the message was attempted, even if the failed part was not.
			const attempts = values.length > 0 ? result.attempts || 1 : result.attempts;
			return { ...result, attempts, parts: { sent: values.length, of: parts.length } };
		}
		values.push(result.value);
	}
	return { value: values };
}

/** Sends a part until it succeeds, a retry is not safe, or attempts or time are used up. Returns undefined if it was stopped. */
async function sendPart<M extends Message, Value>(
	message: M,
	part: M['parts'][number],
	context: AttemptContext<M, Value>,
): Promise<Result<Value> | undefined> {
	const { queue, maxAttempts, cancelled, noNewMessagesSignal } = context;
	const { scheduler } = message.account;
	const { clock } = scheduler;
	const { maxWaitMs } = queue.options;
	let failed: Failed | undefined;
	let count429 = 0;
	let first429At = Infinity;
	for (let attempts = 1; ; attempts++) {
		const stopSignal = failed ? cancelled : noNewMessagesSignal;
		const attempt = await attemptOnce(message, part, context, stopSignal);
		if (!attempt) {
			if (failed) return failed;
			if (stopSignal.reason === LATE) return { failure: LATE, attempts: 0 };
			if (stopSignal.aborted) return undefined;
			return queue.whyGivenUp && { failure: queue.whyGivenUp, attempts: 0 };
		}
		const { result, waitAfter429Ms } = attempt;
		if ('value' in result) return result;
		const { failure } = result;
		// The attempt of a rehearsal can be late, because its clock skips the wait for a turn.
		if (failure === LATE) return { failure, attempts: 0 };
		const { mayRepeat, requestedWaitMs } = retryPolicy(failure, message.hasKey);
		failed = { failure, attempts, isUncertain: failed?.isUncertain || mayRepeat === 'withKey' };
		if (queue.whyGivenUp || maxAttempts === 1) return failed;
		const now = clock.now();
		let delayMs = waitAfter429Ms;
		if (delayMs !== undefined) {
			count429 += 1;
			first429At = Math.min(first429At, now);
			// The queue has not given up, so the account accepts other messages. Lasting 429s then mean that the chat is limited.
			const isLasting = count429 > MAX_429S || (requestedWaitMs ?? 0) > maxWaitMs;
			if (isLasting && now - first429At > maxWaitMs - 1) return failed;
		} else {
			const attemptsThatCount = attempts - count429;
			const mayRetry = mayRepeat === 'safe' || (mayRepeat === 'withKey' && message.hasKey);
			if (!mayRetry || attemptsThatCount >= maxAttempts) return failed;
			const backOffMs = FIRST_BACK_OFF_MS * 2 ** (attemptsThatCount - 1) * (1 - clock.random() / 2);
			delayMs = Math.min(requestedWaitMs ?? backOffMs, maxWaitMs);
		}
		scheduler.startAllDue();
		await clock.sleepUntil(now + delayMs, cancelled, queue.gaveUp);
		if (waitAfter429Ms !== undefined) queue.addLimitWait(now, clock.now());
	}
}

async function attemptOnce<M extends Message, Value>(
	message: M,
	part: M['parts'][number],
	{ sender, queue }: AttemptContext<M, Value>,
	stopSignal: AbortSignal,
): Promise<{ result: Result<Value>; waitAfter429Ms?: number } | undefined> {
	if (stopSignal.aborted || queue.whyGivenUp) return undefined;
	const early = sender.loadsEarly(part) ? await sender.load(message, part) : undefined;
	if (early && 'failure' in early) return stopSignal.aborted ? undefined : { result: early };
	const { account } = message;
	const permit = await account.scheduler.waitForTurn(queue, { account, stopSignal });
	if (!permit) return undefined;
	const body = early ?? (await sender.load(message, part));
	const result = 'failure' in body ? body : await sender.attempt(message, part, body.value);
	return { result, waitAfter429Ms: account.scheduler.recordResult(queue, permit, result) };
}
