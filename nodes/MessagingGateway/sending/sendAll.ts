import type { Failed, Result } from '../../../gateway/responses/failure';
import { type Clock, eventLoopBreaks } from './clock';
import {
	type FailedItem,
	LATE,
	type Message,
	type AttemptContext,
	type Sender,
	sendWithRetries,
} from './retry';
import type { PaceOptions, RunQueue } from './scheduler';

export interface SendAllOptions {
	cancelled: AbortSignal;
	maxAttempts: number;
	clock: Clock;
	pace: PaceOptions;
	concurrency: number;
	/** A message whose first attempt has not started this long after the start of the run is not sent. */
	sendWithinMs?: number;
	stopOnFailure: boolean;
}

export interface RunResult<M extends Message, Value> {
	/** By the index of the message. One is missing if it was stopped before its first attempt, or cancelled between its parts. */
	results: Map<number, Result<Value[]>>;
	stoppedBy?: FailedItem;
	/** Each queue says how the limit and the pace of its account have held the run back. */
	accounts: Array<{ account: M['account']; queue: RunQueue }>;
}

/** Messages that wait for their chat, or until their account is online, stay in memory, so reading ahead is limited to this many. */
const MAX_WAITING = 10_000;
/** Messages are read in blocks, because expressions then cost about half as much as one by one between responses. */
const BLOCK = 100;

/** Sends all messages. Reads each of them from the iterator shortly before it is sent. */
export async function sendAll<M extends Message, Value>(
	messages: AsyncIterator<M | FailedItem, undefined>,
	sender: Sender<M, Value>,
	options: SendAllOptions,
): Promise<RunResult<M, Value>> {
	return await new SendRun(messages, sender, options).run();
}

interface RunAtAccount<M extends Message, Value> extends AttemptContext<M, Value> {
	account: M['account'];
	/** Resolves to undefined when messages may be sent, or to the failure that prevents it. */
	readiness: Promise<Failed | undefined>;
	chats: Map<string | undefined, Promise<void>>;
}

class SendRun<M extends Message, Value> {
	readonly #results = new Map<number, Result<Value[]>>();
	readonly #accounts = new Map<string, RunAtAccount<M, Value>>();
	readonly #freePlaces: Semaphore;
	readonly #stop = new AbortController();
	readonly #late = new AbortController();
	#resumeReading = () => {};
	/** Counts the messages that wait for their chat, or until their account is online. */
	#waiting = 0;
	#stoppedBy?: FailedItem;
	#thrown?: { error: unknown };

	constructor(
		private readonly messages: AsyncIterator<M | FailedItem, undefined>,
		private readonly sender: Sender<M, Value>,
		private readonly options: SendAllOptions,
	) {
		this.#freePlaces = new Semaphore(options.concurrency);
	}

	async run(): Promise<RunResult<M, Value>> {
		const { cancelled } = this.options;
		const stop = () => this.#stop.abort();
		if (cancelled.aborted) stop();
		void this.#endInTime();
		cancelled.addEventListener('abort', stop);
		this.#stop.signal.addEventListener('abort', () => this.#resumeReading());
		try {
			await this.#read();
			for (const { chats } of this.#accounts.values()) await Promise.all(chats.values());
		} finally {
			cancelled.removeEventListener('abort', stop);
			stop();
			for (const { account, queue } of this.#accounts.values()) account.scheduler.leave(queue);
		}
		if (this.#thrown) throw this.#thrown.error;
		const accounts = [...this.#accounts.values()];
		return { results: this.#results, stoppedBy: this.#stoppedBy, accounts };
	}

	async #endInTime(): Promise<void> {
		const { clock, sendWithinMs = Infinity } = this.options;
		if (sendWithinMs === Infinity) return;
		const { signal } = this.#stop;
		await clock.sleepUntil(clock.now() + sendWithinMs, signal);
		this.#late.abort(LATE);
	}

	/** Reads the messages shortly before they can be sent, so that few are in memory. */
	async #read(): Promise<void> {
		const { clock, concurrency, cancelled } = this.options;
		const { signal } = this.#stop;
		const breakIfDue = eventLoopBreaks(clock, cancelled);
		// The first block is small, so that sending starts at once.
		for (let size = concurrency; !signal.aborted; size = BLOCK) {
			for (let count = 0; count < size && this.#waiting < MAX_WAITING; count++) {
				await breakIfDue();
				const message = signal.aborted ? undefined : (await this.messages.next()).value;
				// Another message may have failed and stopped the run during this read.
				if (!message || (signal.aborted && !('failure' in message))) return;
				if (!('failure' in message)) this.#add(message);
				else if (this.#stopsAt(message)) return;
			}
			while (!signal.aborted && (this.#waiting >= MAX_WAITING || !this.#freePlaces.isFree)) {
				await new Promise<void>((resolve) => (this.#resumeReading = resolve));
			}
		}
	}

	#add(message: M): void {
		const { chat } = message;
		const { chats } = this.#runAtAccount(message);
		let previous: Promise<unknown> | undefined = chats.get(chat) ?? chats.get(undefined);
		// A message that may go to any chat waits for all messages before it, and all messages after it wait for it.
		if (chat === undefined) {
			previous = Promise.all(chats.values());
			chats.clear();
		}
		const sent = this.#sendAfter(previous, message).then(() => {
			if (chats.get(chat) === sent) chats.delete(chat);
			this.#resumeReading();
		});
		chats.set(chat, sent);
	}

	/** Returns whether an invalid item stops the run. Items before it are still sent, because reading is ahead of sending. */
	#stopsAt(message: FailedItem): boolean {
		this.#results.set(message.index, { failure: message.failure });
		if (!this.options.stopOnFailure || this.#stop.signal.aborted) return false;
		this.#stoppedBy = message;
		return true;
	}

	#runAtAccount({ account }: M): RunAtAccount<M, Value> {
		const known = this.#accounts.get(account.accountKey);
		if (known) {
			// Each reading of the credential may bring another scheduler, for example after the process has forgotten the account.
			account.scheduler = known.account.scheduler;
			return known;
		}
		const { sender, options } = this;
		const noNewMessagesSignal = AbortSignal.any([this.#stop.signal, this.#late.signal]);
		const queue = account.scheduler.join(options.pace);
		const readiness = sender.failureIfNotReady(account, noNewMessagesSignal);
		const chats = new Map<string | undefined, Promise<void>>();
		const state = { ...options, account, queue, sender, noNewMessagesSignal, readiness, chats };
		this.#accounts.set(account.accountKey, state);
		return state;
	}

	async #sendAfter(previous: Promise<unknown> | undefined, message: M): Promise<void> {
		const state = this.#runAtAccount(message);
		this.#waiting += 1;
		if (previous) await previous;
		const failed = await state.readiness;
		this.#waiting -= 1;
		if (this.#stop.signal.aborted) return;
		if (failed) return this.#finish(message, failed);
		await this.#freePlaces.acquire();
		let result: Result<Value[]> | undefined;
		try {
			result = await sendWithRetries(message, state);
			if (result) this.#finish(message, result);
		} catch (error) {
			this.#thrown ??= { error };
			this.#stop.abort();
		}
		this.sender.finish?.(message, result);
		// The result may let others start, but only after #finish, because a failure may have stopped the run.
		state.account.scheduler.startAllDue();
		this.#freePlaces.release();
	}

	#finish({ index }: M, result: Result<Value[]>): void {
		this.#results.set(index, result);
		if (!('failure' in result) || !this.options.stopOnFailure) return;
		// This failure takes precedence over an invalid item, which was read before its turn.
		if (!this.#stop.signal.aborted) this.#stoppedBy = { ...result, index };
		this.#stop.abort();
	}
}

/** Limits how many messages are sent at the same time. Others wait in `acquire` until a place is free. */
class Semaphore {
	readonly #waiting: Array<() => void> = [];

	constructor(private free: number) {}

	get isFree(): boolean {
		return this.free > 0;
	}

	async acquire(): Promise<void> {
		if (this.free > 0) this.free -= 1;
		else await new Promise<void>((resolve) => this.#waiting.push(resolve));
	}

	release(): void {
		const next = this.#waiting.shift();
		if (next) next();
		else this.free += 1;
	}
}
