import type { Failed, RequestFailure, Result } from '../../../gateway/replies/failure';
import { Breaks } from './breaks';
import type { Clock } from './clock';
import { Line, newEvent } from './line';
import { type RetryOptions, sendMessage } from './retry';

export interface Message extends Pick<RetryOptions, 'hasKey' | 'load' | 'pace' | 'parts'> {
	index: number;
	/** Messages to the same chat are sent one after the other, in order. */
	chat: string;
	/** Resolves when its account may send, or with the reason why it may not. */
	ready?: Promise<Failed | undefined>;
}

/** A message that cannot be sent because of its input. */
export interface InvalidMessage {
	index: number;
	failure: RequestFailure;
}

interface SendAllOptions extends Pick<RetryOptions, 'maxAttempts' | 'signal'> {
	clock: Clock;
	/** How many messages may be sent at the same time. */
	concurrency: number;
	/** Whether the first failure keeps further messages from being started. */
	stopOnFailure: boolean;
}

export interface RunResult<Value> {
	/** By index; messages that were not attempted are missing. */
	results: Map<number, Result<Value>>;
	/** The failure that stopped the run. */
	stoppedBy?: Failed & { index: number };
}

/** The messages that wait for their chat are held in memory, so reading ahead is limited. */
const MAX_WAITING = 10_000;
/** Expressions cost about half as much when they are read in blocks rather than one by one between responses. */
const BLOCK = 100;

type Messages<M> = AsyncIterator<M | InvalidMessage, undefined>;
/** Sends a part of a message. `before` is the value of the part before it; the value of the last part is the result. */
type Send<M, Value> = (message: M, part: number, before?: Value) => Promise<Result<Value>>;

/** Sends all messages. They are read from the iterator shortly before they are sent. */
export async function sendAll<M extends Message, Value>(
	messages: Messages<M>,
	send: Send<M, Value>,
	options: SendAllOptions,
): Promise<RunResult<Value>> {
	return await new SendRun(messages, send, options).run();
}

class SendRun<M extends Message, Value> {
	readonly #results = new Map<number, Result<Value>>();
	/** The last message to each chat. */
	readonly #chats = new Map<string, Promise<void>>();
	/** The messages in flight, and behind them those that could be. */
	readonly #line: Line;
	/** Aborted when no further message may be started. */
	readonly #stop = new AbortController();
	readonly #stopped = newEvent();
	/** A message has ended. */
	#ended = newEvent();
	/** How many messages wait for their chat or their account. */
	#waiting = 0;
	#isReadToEnd = false;
	#stoppedBy?: Failed & { index: number };
	#thrown?: { error: unknown };

	constructor(
		private readonly messages: Messages<M>,
		private readonly send: Send<M, Value>,
		private readonly options: SendAllOptions,
	) {
		this.#line = new Line(options.concurrency);
	}

	async run(): Promise<RunResult<Value>> {
		const { signal } = this.options;
		const stop = () => this.#stop.abort();
		this.#stop.signal.addEventListener('abort', this.#stopped.resolve);
		if (signal.aborted) stop();
		signal.addEventListener('abort', stop);
		await this.#read();
		await Promise.all(this.#chats.values());
		signal.removeEventListener('abort', stop);
		if (this.#thrown) throw this.#thrown.error;
		return { results: this.#results, stoppedBy: this.#stoppedBy };
	}

	/** Reads the messages, each shortly before it can be sent. */
	async #read(): Promise<void> {
		const { clock, concurrency, signal } = this.options;
		const breaks = new Breaks(clock, signal);
		// The first block is small, so that sending starts at once.
		for (let size = concurrency; this.#mayRead; size = BLOCK) {
			for (let count = 0; count < size && this.#mayRead && !this.#isFull; count++) {
				if (breaks.isDue) await breaks.take();
				if (this.#mayRead) this.#add((await this.messages.next()).value);
			}
			while (this.#mayRead && (this.#isFull || !this.#line.isFree)) {
				await Promise.race([this.#ended.promise, this.#stopped.promise]);
				breaks.restart();
			}
		}
	}

	get #mayRead(): boolean {
		return !this.#isReadToEnd && !this.#stop.signal.aborted;
	}

	get #isFull(): boolean {
		return this.#waiting >= MAX_WAITING;
	}

	#add(message?: M | InvalidMessage): void {
		if (!message) this.#isReadToEnd = true;
		else if ('failure' in message) this.#reject(message);
		else {
			const { chat } = message;
			const sent = this.#sendAfter(this.#chats.get(chat), message).then(() => {
				if (this.#chats.get(chat) === sent) this.#chats.delete(chat);
			});
			this.#chats.set(chat, sent);
		}
	}

	/** Messages before an invalid one are still sent, because reading runs ahead of sending. */
	#reject(message: InvalidMessage): void {
		this.#results.set(message.index, { failure: message.failure });
		// A failed message may have stopped the run while this one was read.
		if (!this.options.stopOnFailure || this.#stop.signal.aborted) return;
		this.#stoppedBy = message;
		this.#isReadToEnd = true;
	}

	async #sendAfter(before: Promise<void> | undefined, message: M): Promise<void> {
		this.#waiting += 1;
		if (before) await before;
		// Without taking the place of a message to another account.
		const failed = message.ready && (await Promise.race([message.ready, this.#stopped.promise]));
		this.#waiting -= 1;
		if (this.#stop.signal.aborted) return;
		if (failed) return this.#finish(message, failed);
		const { turn, leave, isFirst } = this.#line.join();
		if (!isFirst) await turn;
		try {
			await this.#sendNow(message);
		} catch (error) {
			this.#thrown ??= { error };
			this.#stop.abort();
		}
		leave();
		this.#ended.resolve();
		this.#ended = newEvent();
	}

	async #sendNow(message: M): Promise<void> {
		const { hasKey, load, pace, parts } = message;
		const result = await sendMessage<Value>(
			async (part, before) => await this.send(message, part, before),
			{ ...this.options, hasKey, load, pace, parts, stop: this.#stop.signal },
		);
		if (result) this.#finish(message, result);
	}

	#finish({ index }: M, result: Result<Value>): void {
		this.#results.set(index, result);
		if (!('failure' in result) || !this.options.stopOnFailure) return;
		// Takes precedence over an invalid message, which was found before its turn.
		if (!this.#stop.signal.aborted) this.#stoppedBy = { ...result, index };
		this.#stop.abort();
	}
}
