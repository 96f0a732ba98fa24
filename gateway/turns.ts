import type { RateLimiter, RateResponse, Ticket } from './rateLimiter';

/** The pace of the messages that a run sends to an account. */
export interface Pace {
	/** Between two starts of the account, by Messages per Minute; 0 without. */
	readonly intervalMs: number;
	/** By how much the next start is delayed at random. */
	readonly jitterMs: number;
	/** The run starts nothing before this time. */
	readonly notBefore: number;
	/** `slot`: when the message should have started, apart from jitter. */
	onStart(slot: number): void;
	/** The limit of the gateway held a message back. */
	addHeld(from: number, until: number): void;
}

/** A request that waits for its turn. */
export interface Waiter {
	/** Only messages have one. */
	readonly pace?: Pace;
	readonly since: number;
	wake(): void;
	/** After everything that the response of another request leads to, which may be the end of the run. */
	wakeShortly(): void;
}

interface Next {
	waiter: Waiter;
	time: number;
}

/** A timer is late by a few milliseconds; a message that starts later than this was held back by something else. */
const MAX_LATE_MS = 50;

/**
 * Decides which request to an account starts next, over all runs of this process: messages in one line, all other
 * requests in another, so that a status request never waits behind messages. A message that waits for the pace of its
 * own run holds nobody back.
 */
export class Turns {
	readonly #messages = new Set<Waiter>();
	readonly #others = new Set<Waiter>();
	readonly #paces = new Set<Pace>();
	#longestInterval = 0;
	#lastSlot = -Infinity;

	constructor(readonly limiter: RateLimiter) {}

	/** The slowest pace of all runs applies to every run that has one. */
	join(pace: Pace): void {
		this.#paces.add(pace);
		this.#longestInterval = Math.max(this.#longestInterval, pace.intervalMs);
	}

	leave(pace: Pace, now: number): void {
		this.#paces.delete(pace);
		const intervals = [...this.#paces].map(({ intervalMs }) => intervalMs);
		this.#longestInterval = intervals.reduce((a, b) => Math.max(a, b), 0);
		this.#wakeNext(now);
	}

	add(waiter: Waiter): void {
		(waiter.pace ? this.#messages : this.#others).add(waiter);
	}

	remove(waiter: Waiter, now: number): void {
		(waiter.pace ? this.#messages : this.#others).delete(waiter);
		this.#wakeNext(now);
	}

	/** When this request may start; Infinity while it is another one's turn. */
	timeFor(waiter: Waiter, now: number): number {
		const next = (waiter.pace ? this.#firstMessage(now) : this.#firstOther(now))!;
		if (next.waiter === waiter) return next.time;
		// Who is next changes with time, and it may still be asleep.
		next.waiter.wake();
		return Infinity;
	}

	start({ pace, since }: Waiter, now: number): Ticket {
		const isMessage = pace !== undefined;
		const readySince = pace ? this.#ownTime(pace, since) : since;
		const ticket = this.limiter.start(now, isMessage, readySince);
		if (pace) {
			if (ticket.wasHeld) pace.addHeld(readySince, now);
			const slot = now - readySince > MAX_LATE_MS ? now : this.#slot(pace, since);
			if (pace.intervalMs > 0) this.#lastSlot = slot;
			pace.onStart(slot);
		}
		return ticket;
	}

	/** Returns whether the response is news about the rate limit, and not about a request from before the last 429. */
	finish(ticket: Ticket, now: number, response?: RateResponse): boolean {
		const isNews = this.limiter.finish(ticket, now, response);
		this.#firstMessage(now)?.waiter.wakeShortly();
		this.#firstOther(now)?.waiter.wakeShortly();
		return isNews;
	}

	#wakeNext(now: number): void {
		this.#firstMessage(now)?.waiter.wake();
		this.#firstOther(now)?.waiter.wake();
	}

	#firstOther(now: number): Next | undefined {
		const [waiter] = this.#others;
		return waiter && { waiter, time: this.limiter.nextStart(now, false) };
	}

	/** The first in line, apart from messages whose own pace makes them wait longer. */
	#firstMessage(now: number): Next | undefined {
		const earliest = Math.max(now, this.limiter.nextStart(now, true));
		let first: Next | undefined;
		for (const waiter of this.#messages) {
			const time = Math.max(earliest, this.#ownTime(waiter.pace!, waiter.since));
			if (!first || time < first.time) first = { waiter, time };
			if (time === earliest) break;
		}
		return first;
	}

	/** When a message may start by its own pace. */
	#ownTime(pace: Pace, since: number): number {
		return this.#slot(pace, since) + pace.jitterMs;
	}

	#slot({ intervalMs, notBefore }: Pace, since: number): number {
		const afterLast = intervalMs > 0 ? this.#lastSlot + this.#longestInterval : -Infinity;
		return Math.max(since, notBefore, afterLast);
	}
}
