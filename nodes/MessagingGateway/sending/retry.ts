import { retryPolicy } from '../../../gateway/errors/retryPolicy';
import type { Failed, RequestFailure, Result } from '../../../gateway/replies/failure';
import type { AccountRun } from './accountRun';
import type { Scheduler } from './scheduler';

export interface Message {
	index: number;
	/** The order per chat, the rate and the limit are per account; concurrency is per run. */
	account: { key: string; scheduler: Scheduler };
	/** Messages to the same chat are sent one after the other, in order. Undefined if it may be any chat. */
	chat: string | undefined;
	/** Whether it has an idempotency key, which makes a retry safe in every case. */
	hasKey: boolean;
	/** Each takes a request, with its own attempts. */
	parts: unknown[];
}

/** A message that was not sent: because of its input, or, when it stopped the run, for any reason. */
export type FailedItem = Failed & { index: number };

/** The way to the gateway. */
export interface Sender<M extends Message, Value> {
	/** Why an account may not send. Asked before its first message; resolves soon after the signal is aborted. */
	checkReady(account: M['account'], noNewMessages: AbortSignal): Promise<Failed | undefined>;
	/** Loads what takes long, because slow downloads that end together would otherwise start together. */
	loadBeforeTurn(part: M['parts'][number]): Promise<Result<Buffer> | undefined>;
	attempt(message: M, part: M['parts'][number], loaded?: Buffer): Promise<Result<Value>>;
}

/** What the messages of a run to an account have in common. */
export interface RetryOptions<M extends Message, Value> {
	sender: Sender<M, Value>;
	/** The run has joined its schedule. A later message may have another one, if the account was forgotten meanwhile. */
	account: M['account'];
	run: AccountRun;
	/** With 1, nothing is retried. */
	maxAttempts: number;
	/** Aborts the waiting; no attempt starts after that. */
	cancelled: AbortSignal;
	/** No first attempt starts after that, which is LATE if the time was over; a message that has been attempted is still retried. */
	noNewMessages: AbortSignal;
}

/** Doubles with each attempt; the random half keeps clients from retrying all at the same time. */
const FIRST_BACK_OFF_MS = 500;
const MAX_429S = 30;

/** Why no first attempt starts once the time to send is over. */
export const LATE: RequestFailure = { kind: 'notSent', cause: 'late' };

/**
 * Sends the parts of a message one after the other until one fails. A message of which a part was sent is completed
 * even if no other message may start. Undefined if it was stopped before the first attempt, or cancelled between parts.
 */
export async function sendWithRetries<M extends Message, Value>(
	message: M,
	options: RetryOptions<M, Value>,
): Promise<Result<Value[]> | undefined> {
	const { parts } = message;
	const { cancelled } = options;
	const values: Value[] = [];
	for (const part of parts) {
		const ofPart = values.length === 0 ? options : { ...options, noNewMessages: cancelled };
		const result = await sendPart(message, part, ofPart);
		if (!result) return undefined;
		if ('failure' in result) {
			if (parts.length === 1) return result;
			// If a part was sent, the message was attempted, even if this part was not.
			const attempts = values.length > 0 ? result.attempts || 1 : result.attempts;
			return { ...result, attempts, parts: { sent: values.length, of: parts.length } };
		}
		values.push(result.value);
	}
	return { value: values };
}

/** Sends until it succeeds or a retry makes no sense. */
async function sendPart<M extends Message, Value>(
	message: M,
	part: M['parts'][number],
	options: RetryOptions<M, Value>,
): Promise<Result<Value> | undefined> {
	const { account, run, maxAttempts, cancelled, noNewMessages } = options;
	const { scheduler } = account;
	const { clock } = scheduler;
	const { maxWaitMs } = run.options;
	let failed: Failed | undefined;
	/** 429s do not count as attempts. */
	let limited = 0;
	let limitedSince = Infinity;
	for (let attempts = 1; ; attempts++) {
		const mayStart = failed ? cancelled : noNewMessages;
		const attempt = await attemptOnce(message, part, options, mayStart);
		if (!attempt) {
			if (failed) return failed;
			if (mayStart.reason === LATE) return { failure: LATE, attempts: 0 };
			if (mayStart.aborted) return undefined;
			return run.whyGivenUp && { failure: run.whyGivenUp, attempts: 0 };
		}
		const { result, waitAfter429Ms } = attempt;
		if ('value' in result) return result;
		const { failure } = result;
		const { retry, waitMs } = retryPolicy(failure, message.hasKey);
		failed = { failure, attempts, isUncertain: failed?.isUncertain || retry === 'withKey' };
		if (run.whyGivenUp || maxAttempts === 1) return failed;
		const now = clock.now();
		let delayMs = waitAfter429Ms;
		if (delayMs !== undefined) {
			limited += 1;
			limitedSince = Math.min(limitedSince, now);
			// The run goes on, so other messages are accepted: it is the chat that is limited.
			const isLasting = limited > MAX_429S || (waitMs ?? 0) > maxWaitMs;
			if (isLasting && now - limitedSince > maxWaitMs - 1) return failed;
		} else {
			const counted = attempts - limited;
			const mayRetry = retry === 'safe' || (retry === 'withKey' && message.hasKey);
			if (!mayRetry || counted >= maxAttempts) return failed;
			const backOffMs = FIRST_BACK_OFF_MS * 2 ** (counted - 1) * (1 - clock.random() / 2);
			delayMs = Math.min(waitMs ?? backOffMs, maxWaitMs);
		}
		scheduler.startDue();
		await clock.sleepUntil(now + delayMs, cancelled, run.gaveUp);
		if (waitAfter429Ms !== undefined) run.addLimitWait(now, clock.now());
	}
}

/** Undefined if it may not start. What it loads is not kept until the next attempt. `waitAfter429Ms`: the wait after a 429. */
async function attemptOnce<M extends Message, Value>(
	message: M,
	part: M['parts'][number],
	{ sender, account, run }: RetryOptions<M, Value>,
	mayStart: AbortSignal,
): Promise<{ result: Result<Value>; waitAfter429Ms?: number } | undefined> {
	if (mayStart.aborted || run.whyGivenUp) return undefined;
	const file = await sender.loadBeforeTurn(part);
	if (file && 'failure' in file) return mayStart.aborted ? undefined : { result: file };
	const permit = await account.scheduler.waitForTurn(run, mayStart);
	if (!permit) return undefined;
	const result = await sender.attempt(message, part, file?.value);
	return { result, waitAfter429Ms: account.scheduler.attemptEnded(run, permit, result) };
}
