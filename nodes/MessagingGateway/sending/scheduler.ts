import type { Failed, RequestFailure, Result } from '../../../gateway/responses/failure';
import { retryPolicy } from '../../../gateway/failures/retryPolicy';
import type { Pace } from '../../../gateway/wire/account';
import type { Clock } from './clock';
import { RateLimiter, type Permit } from './rateLimiter';

export interface PaceOptions {
	/** The shortest time between two starts. 0 means that the run has no pace. */
	intervalMs: number;
	/** Each interval is longer by a random part, of up to this share. */
	randomPart: number;
	/** The longest wait before a retry. A run also gives up if a limited account accepts no message for this long. */
	maxWaitMs: number;
}

/** Requests that are not messages wait less than messages: they are few, and the user may be waiting for them. */
const MAX_NON_MESSAGE_INTERVAL_MS = 1_000;
const MAX_NON_MESSAGE_PAUSE_MS = 60_000;
const NON_MESSAGE_PAUSE_MS = 500;
/** How long a run waits beyond Max Wait, so that the last probe of the limit can get its response. */
const GRACE_MS = 1_500;

interface Turn {
	queue: RunQueue;
	/** The earliest start that the pace of the run and that of the account allow. */
	readyAt: number;
	isHeldByAccount: boolean;
}

/**
 * Decides when requests to an account start, over all runs of this process. The runs take turns. A message that waits
 * for the pace of its own run delays no other run, and requests that are not messages never wait behind messages.
 */
export class Scheduler {
	readonly limiter: RateLimiter;
	/** In the order of their turns: a run that starts a message moves to the end. */
	readonly #queues = new Set<RunQueue>();
	/** The last start of a run with its own pace. Such runs share the lowest of their paces. */
	#lastPacedStart = -Infinity;
	/** The last start at the pace of the account. Until this process started, at time 0, the one before it may have sent. */
	#lastAccountStart = 0;
	/** From 0 to 1: how much of its random part the next interval gets. */
	#randomShare = 0;
	nonMessagesNotBefore = -Infinity;
	#lastFailure?: RequestFailure;
	#untilAwake = new AbortController();

	constructor(readonly clock: Clock) {
		this.limiter = new RateLimiter(() => clock.random());
	}

	join(options: PaceOptions): RunQueue {
		const queue = new RunQueue(options);
		this.#queues.add(queue);
		return queue;
	}

	leave(queue: RunQueue): void {
		this.#queues.delete(queue);
		this.startAllDue();
	}

	/** Waits for the turn of a message. Resolves to undefined if `stopSignal` is aborted or the queue gives up. */
	async waitForTurn(queue: RunQueue, message: Pick<WaitingMessage, 'account' | 'stopSignal'>) {
		return await new Promise<Permit | undefined>((resolve) => {
			queue.waiting.push({ ...message, since: this.clock.now(), resolve });
			this.startAllDue();
		});
	}

	startAllDue(): void {
		// Ends the last sleep. Without a reason, Node.js would create an error with a stack trace each time.
		this.#untilAwake.abort('awake');
		const now = this.clock.now();
		for (const queue of this.#queues) queue.dropStopped();
		for (;;) {
			const turns = this.#turns();
			const next = turns.find(({ readyAt }) => readyAt <= now);
			if (!next || this.limiter.notBefore > now) return this.#sleep(turns, now);
			this.#startNext(next, now);
		}
	}

	#turns(): Turn[] {
		// The lowest pace of all runs applies.
		const intervals = [...this.#queues].map(
			({ options }) => options.intervalMs * (1 + this.#randomShare * options.randomPart),
		);
		const nextPacedStart = this.#lastPacedStart + Math.max(...intervals);
		return [...this.#queues].flatMap((queue) => {
			const [message] = queue.waiting;
			if (!message) return [];
			const { pace } = message.account;
			const ofRun = Math.max(message.since, queue.options.intervalMs > 0 ? nextPacedStart : 0);
			const ofAccount = pace ? this.#lastAccountStart + pace.intervalMs : 0;
			const readyAt = Math.max(ofRun, ofAccount);
			return { queue, readyAt, isHeldByAccount: ofAccount > ofRun };
		});
	}

	#startNext({ queue, readyAt, isHeldByAccount }: Turn, now: number): void {
		const { limiter } = this;
		const {
			account: { pace },
			resolve,
		} = queue.waiting.shift()!;
		queue.addLimitWait(readyAt, limiter.notBefore);
		if (isHeldByAccount) queue.heldBy = pace;
		if (pace) this.#lastAccountStart = now;
		if (queue.options.intervalMs > 0) {
			this.#lastPacedStart = now;
			this.#randomShare = this.clock.random();
		}
		this.#queues.delete(queue);
		this.#queues.add(queue);
		resolve(limiter.recordStart(now));
	}

	/** Sleeps until a message may start or must not start any more, or until its queue gives up. */
	#sleep(turns: Turn[], now: number): void {
		let wakeAt = Infinity;
		for (const { queue, readyAt } of turns) {
			const giveUpAt = Math.max(readyAt, this.#giveUpAt(queue, readyAt) + GRACE_MS);
			if (giveUpAt <= now) queue.giveUp(this.#lastFailure!);
			else wakeAt = Math.min(wakeAt, giveUpAt, Math.max(readyAt, this.limiter.notBefore));
		}
		if (wakeAt === Infinity) return;
		const { signal } = (this.#untilAwake = new AbortController());
		const stops = turns.flatMap(({ queue }) => queue.waiting.map((each) => each.stopSignal));
		void this.clock.sleepUntil(wakeAt, signal, ...stops).then(() => {
			if (!signal.aborted) this.startAllDue();
		});
	}

	/**
	 * Returns when a queue gives up if the account accepts nothing until then: Max Wait after the first 429 since the last
	 * accepted message. For a queue that has had none of these 429s, the time begins at `heldSince`, when it began to wait.
	 */
	#giveUpAt(queue: RunQueue, heldSince: number): number {
		const { since } = this.limiter.series(this.clock.now()) ?? { since: Infinity };
		return Math.max(since, queue.last429At < since ? heldSince : since) + queue.options.maxWaitMs;
	}

	/**
	 * Updates the limiter with the result of an attempt. Returns how long the message must wait after a 429. If the account
	 * has accepted nothing for Max Wait, the queue gives up. Call startAllDue() afterwards: the result may let others start.
	 */
	recordResult(queue: RunQueue, permit: Permit, result: Result<unknown>): number | undefined {
		const { clock, limiter } = this;
		const now = clock.now();
		if (!('failure' in result)) return void limiter.onAccepted(permit, now);
		const { failure } = result;
		const { isRateLimit, requestedWaitMs } = retryPolicy(failure);
		if (!isRateLimit) return void limiter.onUninformative(permit);
		const waitMs = limiter.onRateLimited(permit, now, queue.options.maxWaitMs, requestedWaitMs);
		this.#pauseNonMessages(now, Math.min(waitMs, requestedWaitMs ?? NON_MESSAGE_PAUSE_MS));
		this.#lastFailure = failure;
		queue.last429At = now;
		// The tolerance of 1 ms is for rounding errors in sums of times.
		if (now > this.#giveUpAt(queue, now) - 1) queue.giveUp(failure);
		return waitMs;
	}

	/** Sends a request after the pause. Returns undefined if it must not start any more, and fails if the pause is the reason. */
	async sendNonMessage<Value>(
		send: () => Promise<Result<Value>>,
		cancelled: AbortSignal,
		deadline: number,
	): Promise<Result<Value> | undefined> {
		const { clock, limiter } = this;
		const since = clock.now();
		const isTooLate = () => cancelled.aborted || clock.now() >= deadline;
		while (this.nonMessagesNotBefore > clock.now() && !isTooLate()) {
			await clock.sleepUntil(Math.min(this.nonMessagesNotBefore, deadline), cancelled);
		}
		if (isTooLate()) return cancelled.aborted ? undefined : this.#pausedSince(since);
		const interval = Math.min(limiter.interval(clock.now()), MAX_NON_MESSAGE_INTERVAL_MS);
		if (interval > 0) this.nonMessagesNotBefore = clock.now() + interval;
		const result = await send();
		const policy = 'failure' in result && retryPolicy(result.failure);
		if (policy && policy.isRateLimit) {
			const waitMs = policy.requestedWaitMs ?? NON_MESSAGE_PAUSE_MS * (1 - clock.random() / 2);
			limiter.pause(clock.now(), waitMs);
			this.#pauseNonMessages(clock.now(), waitMs);
		}
		return result;
	}

	#pausedSince(since: number): Failed | undefined {
		const { clock, nonMessagesNotBefore } = this;
		if (nonMessagesNotBefore <= since) return undefined;
		const left = nonMessagesNotBefore - clock.now();
		const until = new Date(clock.date() + left);
		// The pause may be over while other requests of the account still come first. No time is reported then.
		const reason = left > 0 ? until.toISOString().replace(/\.\d+/, '') : undefined;
		return { failure: { kind: 'notSent', cause: 'paused', reason } };
	}

	#pauseNonMessages(now: number, ms: number): void {
		const until = now + Math.min(ms, MAX_NON_MESSAGE_PAUSE_MS);
		this.nonMessagesNotBefore = Math.max(this.nonMessagesNotBefore, until);
	}
}

interface WaitingMessage {
	since: number;
	/** Its owner can change the pace while the message waits. */
	account: { pace?: Pace };
	stopSignal: AbortSignal;
	/** Called without a permit if the message must not start. */
	resolve: (permit?: Permit) => void;
}

/** The messages of a run that wait for their turn at one account, their pace, and whether they have given up. */
export class RunQueue {
	/** The messages in the order in which they start. */
	waiting: WaitingMessage[] = [];
	last429At = -Infinity;
	/** How long the limit of the account held messages back. Time in which several messages wait counts once. */
	limitWait = { ms: 0, until: -Infinity };
	/** The pace of the account, if a message of the run has waited for it. */
	heldBy?: Pace;
	readonly #end = new AbortController();
	/** Aborted when the queue gives up: the account accepts nothing, so no message of the run is sent to it any more. */
	readonly gaveUp = this.#end.signal;

	constructor(readonly options: PaceOptions) {}

	/** The 429 for which the queue has given up. Undefined if it has not. */
	get whyGivenUp(): RequestFailure | undefined {
		return this.gaveUp.reason as RequestFailure | undefined;
	}

	dropStopped(): void {
		const { gaveUp, waiting } = this;
		const isOver = ({ stopSignal }: WaitingMessage) => stopSignal.aborted || gaveUp.aborted;
		if (!waiting.some(isOver)) return;
		this.waiting = waiting.filter((message) => !isOver(message));
		for (const message of waiting.filter(isOver)) message.resolve();
	}

	giveUp(failure: RequestFailure): void {
		this.#end.abort(failure);
		this.dropStopped();
	}

	addLimitWait(from: number, until: number): void {
		this.limitWait.ms += Math.max(0, until - Math.max(from, this.limitWait.until));
		this.limitWait.until = Math.max(this.limitWait.until, until);
	}
}
