import type { Failed, RequestFailure, Result } from '../../../gateway/failure';
import { Breaks } from './breaks';
import { ChatQueues } from './chatQueues';
import type { RetryOptions } from './retry';
import { sendParts } from './sendParts';

export interface Message extends Pick<RetryOptions, 'hasKey' | 'load' | 'turns' | 'pace'> {
	index: number;
	/** Messages to the same chat are sent one after the other, in order. */
	chat: string;
	/** How many requests it takes. Default: 1. */
	parts?: number;
	/** Resolves when its account may send, or with the reason why it may not. */
	ready?: Promise<Failed | undefined>;
}

/** A message that cannot be sent because of its input. */
export interface InvalidMessage {
	index: number;
	failure: RequestFailure;
}

interface SendAllOptions extends Pick<
	RetryOptions,
	'clock' | 'maxAttempts' | 'maxWaitMs' | 'signal'
> {
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

/** Sends all messages. They are read from the iterator shortly before they are sent. */
export async function sendAll<M extends Message, Value>(
	messages: Messages<M>,
	send: Send<M, Value>,
	options: SendAllOptions,
): Promise<RunResult<Value>> {
	return await new SendRun(messages, send, options).run();
}

type Messages<M> = AsyncIterator<M | InvalidMessage, undefined>;
/** Sends a part of a message. `before` is the value of the part before it; the value of the last part is the result. */
type Send<M, Value> = (message: M, part: number, before?: Value) => Promise<Result<Value>>;

class SendRun<M extends Message, Value> {
	readonly #queues = new ChatQueues<M>();
	readonly #breaks: Breaks;
	readonly #results = new Map<number, Result<Value>>();
	/** Aborted when no further message may be started. */
	readonly #stop = new AbortController();
	#inFlight = 0;
	/** How many messages wait for their account. */
	#held = 0;
	/** Counts the messages that finished or became ready. */
	#changes = 0;
	#wake = () => {};
	#isFirstBlock = true;
	#isReadToEnd = false;
	#stoppedBy?: Failed & { index: number };
	#thrown?: { error: unknown };

	constructor(
		private readonly messages: Messages<M>,
		private readonly send: Send<M, Value>,
		private readonly options: SendAllOptions,
	) {
		this.#breaks = new Breaks(options.clock, options.signal);
	}

	async run(): Promise<RunResult<Value>> {
		const { concurrency, signal } = this.options;
		const stop = () => this.#stop.abort();
		if (signal.aborted) stop();
		signal.addEventListener('abort', stop);
		for (;;) {
			const changes = this.#changes;
			while (this.#inFlight < concurrency && (await this.#read())) void this.#startNext();
			// While others were read.
			if (changes !== this.#changes) continue;
			const isHolding = this.#held > 0 && !this.#stop.signal.aborted;
			if (this.#inFlight === 0 && !isHolding) break;
			await new Promise<void>((resolve) => (this.#wake = resolve));
			this.#breaks.restart();
		}
		signal.removeEventListener('abort', stop);
		if (this.#thrown) throw this.#thrown.error;
		return { results: this.#results, stoppedBy: this.#stoppedBy };
	}

	/** Reads until a message may start. Returns whether there is one. */
	async #read(): Promise<boolean> {
		while (!this.#queues.hasReady && this.#mayRead) {
			if (this.#breaks.isDue) await this.#breaks.take();
			await this.#readBlock();
		}
		return this.#queues.hasReady;
	}

	get #mayRead() {
		const waiting = this.#queues.waiting + this.#held;
		return !this.#isReadToEnd && !this.#stop.signal.aborted && waiting < MAX_WAITING;
	}

	async #readBlock(): Promise<void> {
		// The first block is small, so that sending starts at once.
		const size = this.#isFirstBlock ? this.options.concurrency : BLOCK;
		this.#isFirstBlock = false;
		for (let count = 0; count < size && this.#mayRead; count++) {
			if (this.#breaks.isDue) return;
			const message = (await this.messages.next()).value;
			if (!message) this.#isReadToEnd = true;
			else if ('failure' in message) this.#reject(message);
			else if (message.ready) void this.#hold(message, message.ready);
			else this.#queues.add(message);
		}
	}

	/** Without taking the place of a message to another account. */
	async #hold(message: M, ready: Promise<Failed | undefined>): Promise<void> {
		this.#held += 1;
		const failed = await ready;
		this.#held -= 1;
		if (!this.#stop.signal.aborted) {
			if (failed) this.#finish(message, failed);
			else this.#queues.add(message);
		}
		this.#changes += 1;
		this.#wake();
	}

	/** Messages before an invalid one are still sent, because reading runs ahead of sending. */
	#reject(message: InvalidMessage): void {
		this.#results.set(message.index, { failure: message.failure });
		// A failed message may have stopped the run while this one was read.
		if (!this.options.stopOnFailure || this.#stop.signal.aborted) return;
		this.#stoppedBy = message;
		this.#isReadToEnd = true;
	}

	async #startNext(): Promise<void> {
		const message = this.#queues.next()!;
		this.#inFlight += 1;
		try {
			await this.#send(message);
		} catch (error) {
			this.#thrown ??= { error };
			this.#stop.abort();
		}
		this.#inFlight -= 1;
		this.#queues.finish(message);
		this.#changes += 1;
		this.#wake();
	}

	async #send(message: M): Promise<void> {
		const result = await sendParts<Value>(
			async (part, before) => await this.send(message, part, before),
			{
				...this.options,
				parts: message.parts,
				hasKey: message.hasKey,
				load: message.load,
				turns: message.turns,
				pace: message.pace,
				stop: this.#stop.signal,
			},
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
