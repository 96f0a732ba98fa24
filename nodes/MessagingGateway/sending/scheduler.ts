import type { Failed, RequestFailure, Result } from '../../../gateway/replies/failure';
import { retryPolicy } from '../../../gateway/errors/retryPolicy';
import type { Clock } from './clock';
import { RateLimiter, type Permit } from './rateLimiter';
import { type RateOptions, AccountRun } from './accountRun';

/** Requests that are not messages wait less than messages: they are few, and the user may be waiting for them. */
const MAX_NON_MESSAGE_INTERVAL_MS = 1_000;
const MAX_NON_MESSAGE_PAUSE_MS = 60_000;
/** The pause after a 429 without Retry-After. */
const NON_MESSAGE_PAUSE_MS = 500;
/** How long a run waits beyond Max Wait, so that the last probe of the limit can get its response. */
const GRACE_MS = 1_500;
/** A start that is at most this late does not shift the next slots. Any longer delay has another cause than the rate of the run. */
const MAX_LATE_MS = 50;

/** A shorter wait is not reported, because it would appear as 0.0 s. */
const MIN_LIMIT_WAIT_MS = 50;

interface Turn {
	run: AccountRun;
	/** When the message should start at the rate of the run. `readyAt` is the slot with jitter, the earliest start. */
	slot: number;
	readyAt: number;
}

/**
 * Decides when requests to an account start, over all runs of this process. The runs take turns. A message that waits
 * for the rate of its own run delays no other run, and requests that are not messages never wait behind messages.
 */
export class Scheduler {
	readonly limiter: RateLimiter;
	/** In the order of their turns: a run that starts a message moves to the end. */
	readonly #runs = new Set<AccountRun>();
	/** The slot of the last message of a run with its own rate. Such runs share their slots, at the lowest of their rates. */
	#lastSlot = -Infinity;
	/** A random number from 0 to 1, which decides the random part of the interval and the jitter of the next slot. */
	#randomShare: number;
	nonMessagesNotBefore = -Infinity;
	#lastFailure?: RequestFailure;
	#asleep = new AbortController();

	constructor(readonly clock: Clock) {
		this.limiter = new RateLimiter(() => clock.random());
		this.#randomShare = clock.random();
	}

	join(options: RateOptions): AccountRun {
		const run = new AccountRun(options);
		this.#runs.add(run);
		return run;
	}

	leave(run: AccountRun): void {
		this.#runs.delete(run);
		this.startDue();
	}

	/**
	 * Waits for the turn of a message: in its run, for the rate of the run, and for the limit of the account. Resolves to
	 * undefined if the message is cancelled or the run gives up.
	 */
	async waitForTurn(run: AccountRun, cancelled: AbortSignal): Promise<Permit | undefined> {
		return await new Promise((resolve) => {
			run.waiting.push({ since: this.clock.now(), cancelled, resolve });
			this.startDue();
		});
	}

	/** Starts all messages that may start, then sleeps until the next one may. */
	startDue(): void {
		// Ends the last sleep. Without a reason, Node.js would create an error with a stack trace each time.
		this.#asleep.abort('awake');
		const now = this.clock.now();
		for (const run of this.#runs) run.dropCancelled();
		for (;;) {
			const turns = this.#turns();
			const next = turns.find(({ readyAt }) => readyAt <= now);
			if (!next || this.limiter.notBefore > now) return this.#sleep(turns, now);
			this.#startNext(next, now);
		}
	}

	#turns(): Turn[] {
		const runs = [...this.#runs];
		// The lowest rate of all runs applies.
		const interval = Math.max(...runs.map((run) => run.intervalMs(this.#randomShare)));
		const nextSlot = this.#lastSlot + interval;
		return runs.flatMap((run) => {
			const { waiting, notBefore, hasOwnRate, options } = run;
			const [message] = waiting;
			if (!message) return [];
			const slot = Math.max(message.since, notBefore, hasOwnRate ? nextSlot : -Infinity);
			return { run, slot, readyAt: slot + this.#randomShare * options.jitter * options.intervalMs };
		});
	}

	#startNext({ run, slot, readyAt }: Turn, now: number): void {
		const { limiter } = this;
		run.addLimitWait(readyAt, limiter.notBefore);
		const usedSlot = slot + Math.max(0, now - readyAt - MAX_LATE_MS);
		if (run.hasOwnRate) {
			this.#lastSlot = usedSlot;
			this.#randomShare = this.clock.random();
		}
		this.#runs.delete(run);
		this.#runs.add(run);
		run.start(limiter.start(now), usedSlot);
	}

	/** Sleeps until a message may start or is cancelled, or until its run gives up. */
	#sleep(turns: Turn[], now: number): void {
		let wakeAt = Infinity;
		for (const { run, readyAt } of turns) {
			const giveUpAt = Math.max(readyAt, this.#giveUpAt(run, readyAt) + GRACE_MS);
			if (giveUpAt <= now) run.giveUp(this.#lastFailure!);
			else wakeAt = Math.min(wakeAt, giveUpAt, Math.max(readyAt, this.limiter.notBefore));
		}
		if (wakeAt === Infinity) return;
		const { signal } = (this.#asleep = new AbortController());
		const cancelled = turns.flatMap(({ run }) => run.waiting.map((message) => message.cancelled));
		void this.clock.sleepUntil(wakeAt, signal, ...cancelled).then(() => {
			if (!signal.aborted) this.startDue();
		});
	}

	/**
	 * Returns when a run gives up if the account accepts nothing until then: Max Wait after the first 429 since the last
	 * accepted message. For a run that has had none of these 429s, the time begins at `heldSince`, when it began to wait.
	 */
	#giveUpAt(run: AccountRun, heldSince: number): number {
		const { since } = this.limiter.series(this.clock.now()) ?? { since: Infinity };
		return Math.max(since, run.last429At < since ? heldSince : since) + run.options.maxWaitMs;
	}

	/** Updates the limiter with the response to a message. Returns how long the message must wait after a 429. */
	attemptEnded(run: AccountRun, permit: Permit, result: Result<unknown>): number | undefined {
		const { clock, limiter } = this;
		const now = clock.now();
		if (!('failure' in result)) {
			limiter.onAccepted(permit, now);
			return undefined;
		}
		const { failure } = result;
		const { isRateLimit, waitMs: announcedMs } = retryPolicy(failure);
		if (!isRateLimit) {
			limiter.onOther(permit);
			return undefined;
		}
		const waitMs = limiter.onRateLimited(permit, now, run.options.maxWaitMs, announcedMs);
		this.#pauseNonMessages(now, Math.min(waitMs, announcedMs ?? NON_MESSAGE_PAUSE_MS));
		this.#lastFailure = failure;
		run.last429At = now;
		// The tolerance of 1 ms is for rounding errors in sums of times.
		if (now > this.#giveUpAt(run, now) - 1) run.giveUp(failure);
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
			const waitMs = policy.waitMs ?? NON_MESSAGE_PAUSE_MS * (1 - clock.random() / 2);
			limiter.pause(clock.now(), waitMs);
			this.#pauseNonMessages(clock.now(), waitMs);
		}
		return result;
	}

	/** Returns undefined if there was no pause. */
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

	/** Returns a hint for the user if the account's limit slowed the run down. */
	limitHint({ limitWait }: AccountRun): string | undefined {
		const { clock, limiter } = this;
		if (limitWait.ms < MIN_LIMIT_WAIT_MS || limiter.limitedAt === -Infinity) return undefined;
		const now = clock.now();
		const timeOf = (time: number) =>
			`${new Date(clock.date() + time - now).toISOString().slice(11, 19)} UTC`;
		const seconds = (limitWait.ms / 1000).toFixed(1);
		const interval = limiter.interval(now);
		const rate =
			interval > 0
				? ` The account now gets about ${Math.max(1, Math.round(60_000 / interval))} messages per minute, more from ${timeOf(Math.max(now, limiter.recoveredAt))} on, and no limit after a minute without messages.`
				: '';
		return `The gateway limited the rate (429, last at ${timeOf(limiter.limitedAt)}), so this run took about ${seconds} s longer.${rate} To stay below the limit, set 'Messages per Minute' under Options.`;
	}
}
