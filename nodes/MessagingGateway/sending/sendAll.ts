import type { Failed, Result } from '../../../gateway/replies/failure';
import { Breaks } from './breaks';
import type { Clock } from './clock';
import { limitHint } from './limitHint';
import { Line, woken } from './line';
import type { InvalidMessage, Message, Sender } from './message';
import { type RetryContext, sendWithRetries } from './retry';
import type { PaceOptions } from './runPace';

export interface SendAllOptions {
	/** Aborted when the user cancels the execution. */
	cancelled: AbortSignal;
	/** With 1, nothing is retried. */
	maxAttempts: number;
	clock: Clock;
	pace: PaceOptions;
	/** The longest wait before a retry, and the longest time without an accepted message while the account is limited. */
	maxWaitMs: number;
	/** How many messages may be sent at the same time. */
	concurrency: number;
	/** Whether the first failure keeps further messages from being started. */
	stopOnFailure: boolean;
}

export interface RunResult<M extends Message, Value> {
	/** The values of the parts, by index; messages that were not attempted are missing. */
	results: Map<number, Result<Value[]>>;
	/** The failure that stopped the run. */
	stoppedBy?: Failed & { index: number };
	/** With a hint for the user about the limit of the account. */
	accounts: Array<{ account: M['account']; hint?: string }>;
}

/** The messages that wait for their chat are held in memory, so reading ahead is limited. */
const MAX_WAITING = 10_000;
/** Expressions cost about half as much when they are read in blocks rather than one by one between responses. */
const BLOCK = 100;

/** Sends all messages. They are read from the iterator shortly before they are sent. */
export async function sendAll<M extends Message, Value>(
	messages: AsyncIterator<M | InvalidMessage, undefined>,
	sender: Sender<M, Value>,
	options: SendAllOptions,
): Promise<RunResult<M, Value>> {
	return await new SendRun(messages, sender, options).run();
}

interface AccountOfRun<M extends Message, Value> extends RetryContext<M, Value> {
	account: M['account'];
	/** Resolves when messages may be sent. */
	whyNotReady: Promise<Failed | undefined>;
}

class SendRun<M extends Message, Value> {
	readonly #results = new Map<number, Result<Value[]>>();
	readonly #accounts = new Map<string, AccountOfRun<M, Value>>();
	/** The last message to each chat. */
	readonly #chats = new Map<string, Promise<void>>();
	/** The messages in flight, and behind them those that could be. */
	readonly #line: Line;
	/** Aborted when no further message may be started. */
	readonly #stop = new AbortController();
	/** Wakes the loop that reads messages. */
	#readOn = () => {};
	/** How many messages wait for their chat or their account. */
	#waiting = 0;
	#isReadToEnd = false;
	#stoppedBy?: Failed & { index: number };
	#thrown?: { error: unknown };

	constructor(
		private readonly messages: AsyncIterator<M | InvalidMessage, undefined>,
		private readonly sender: Sender<M, Value>,
		private readonly options: SendAllOptions,
	) {
		this.#line = new Line(options.concurrency);
	}

	async run(): Promise<RunResult<M, Value>> {
		const { cancelled } = this.options;
		const stop = () => this.#stop.abort();
		if (cancelled.aborted) stop();
		cancelled.addEventListener('abort', stop);
		this.#stop.signal.addEventListener('abort', () => this.#readOn());
		try {
			await this.#read();
			await Promise.all(this.#chats.values());
		} finally {
			cancelled.removeEventListener('abort', stop);
			for (const { schedule, pace } of this.#accounts.values()) schedule.leave(pace);
		}
		if (this.#thrown) throw this.#thrown.error;
		const accounts = [...this.#accounts.values()].map(({ account, schedule, pace }) => ({
			account,
			hint: limitHint(pace, schedule),
		}));
		return { results: this.#results, stoppedBy: this.#stoppedBy, accounts };
	}

	/** Reads the messages, each shortly before it can be sent. */
	async #read(): Promise<void> {
		const { clock, concurrency, cancelled } = this.options;
		const breaks = new Breaks(clock, cancelled);
		// The first block is small, so that sending starts at once.
		for (let size = concurrency; this.#mayRead; size = BLOCK) {
			for (let count = 0; count < size && this.#mayRead && !this.#isFull; count++) {
				if (breaks.isDue) await breaks.take();
				if (this.#mayRead) this.#add((await this.messages.next()).value);
			}
			while (this.#mayRead && (this.#isFull || !this.#line.isFree)) {
				await new Promise<void>((resolve) => (this.#readOn = resolve));
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
		else if (!this.#stop.signal.aborted) {
			const chat = `${message.chat} ${message.account.key}`;
			const sent = this.#sendAfter(this.#chats.get(chat), message).then(() => {
				if (this.#chats.get(chat) === sent) this.#chats.delete(chat);
				this.#readOn();
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

	#accountOf({ account }: M): AccountOfRun<M, Value> {
		const known = this.#accounts.get(account.key);
		if (known) return known;
		const { sender, options } = this;
		const { schedule } = account;
		const noNewMessages = this.#stop.signal;
		const pace = schedule.join(options.pace, options.maxWaitMs);
		const whyNotReady = sender.whyNotReady(account, noNewMessages);
		const ofRun = { ...options, account, sender, schedule, pace, noNewMessages, whyNotReady };
		this.#accounts.set(account.key, ofRun);
		return ofRun;
	}

	async #sendAfter(previous: Promise<void> | undefined, message: M): Promise<void> {
		const account = this.#accountOf(message);
		this.#waiting += 1;
		if (previous) await previous;
		// It takes its place in the line only then.
		const failed = await account.whyNotReady;
		this.#waiting -= 1;
		if (this.#stop.signal.aborted) return;
		if (failed) return this.#finish(message, failed);
		const place = this.#line.join();
		if (!place.isFirst) await woken(place);
		try {
			const result = await sendWithRetries(message, account);
			if (result) this.#finish(message, result);
		} catch (error) {
			this.#thrown ??= { error };
			this.#stop.abort();
		}
		place.leave();
	}

	#finish({ index }: M, result: Result<Value[]>): void {
		this.#results.set(index, result);
		if (!('failure' in result) || !this.options.stopOnFailure) return;
		// Takes precedence over an invalid message, which was found before its turn.
		if (!this.#stop.signal.aborted) this.#stoppedBy = { ...result, index };
		this.#stop.abort();
	}
}
