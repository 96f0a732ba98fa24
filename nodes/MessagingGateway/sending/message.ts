import type { Failed, Result } from '../../../gateway/replies/failure';
import type { Schedule } from './schedule';

export interface Message {
	index: number;
	/** The order per chat, the rate and the limit are per account; concurrency is per run. */
	account: { key: string; schedule: Schedule };
	/** Messages to the same chat are sent one after the other, in order. Undefined if it may be any chat. */
	chat: string | undefined;
	/** Whether it has an idempotency key, which makes a retry safe in every case. */
	hasKey: boolean;
	/** Each takes a request, with its own attempts. */
	parts: unknown[];
}

/** A message that was not sent: because of its input, or, when it stopped the run, for any reason. */
export type FailedMessage = Failed & { index: number };

/** The way to the gateway. */
export interface Sender<M extends Message, Value> {
	/** Why an account may not send. Asked before its first message; resolves soon after the signal is aborted. */
	whyNotReady(account: M['account'], noNewMessages: AbortSignal): Promise<Failed | undefined>;
	/** Loads what takes long, because slow downloads that end together would otherwise start together. */
	loadBeforeTurn(part: M['parts'][number]): Promise<Result<Buffer> | undefined>;
	attempt(message: M, part: M['parts'][number], loaded?: Buffer): Promise<Result<Value>>;
}
