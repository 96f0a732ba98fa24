/** How often to check whether another request has finished. */
const CHECK_MS = 25;
/** A request that gets no response blocks the others no longer than this. */
const MAX_BLOCK_MS = 5_000;
/** After a rate limit, one more request may run at a time for every this many responses. */
const RESPONSES_PER_SLOT = 5;
/** A rate limit has no effect this long after its pause. */
const FORGET_AFTER_MS = 60_000;

/** Identifies the rate limit before which a request started. */
export type Ticket = number;

/**
 * Holds back the requests of an account after a 429: nothing for the announced time, then one request at a time,
 * then gradually more. All at once would be rejected again and use up every message's attempts.
 * `now` is a steady clock in milliseconds.
 */
export class RateLimiter {
	#pausedUntil = -Infinity;
	/** The number of 429s so far. */
	#generation = 0;
	/** Responses without a 429 since the last one; Infinity if there was none. */
	#responses = Infinity;
	/** Requests in flight that started after the last 429. */
	#inFlight = 0;
	#lastStart = -Infinity;

	/** The end of the last pause. */
	get pausedUntil(): number {
		return this.#pausedUntil;
	}

	/** Whether there was a pause, and it still has an effect. */
	isLimiting(now: number): boolean {
		return now - this.#pausedUntil <= FORGET_AFTER_MS;
	}

	isPaused(now: number): boolean {
		return now < this.#pausedUntil;
	}

	/** A ticket if a request may start now. */
	tryAcquire(now: number): Ticket | undefined {
		if (!this.isLimiting(now)) this.#responses = Infinity;
		const slots = 1 + Math.floor(this.#responses / RESPONSES_PER_SLOT);
		const isBlocked = this.#inFlight >= slots && now - this.#lastStart <= MAX_BLOCK_MS;
		if (this.isPaused(now) || isBlocked) return undefined;
		this.#inFlight += 1;
		this.#lastStart = now;
		return this.#generation;
	}

	/** When to call `tryAcquire` again. */
	nextTry(now: number): number {
		return Math.max(this.#pausedUntil, now + CHECK_MS);
	}

	/** For a ticket with which no request was sent. */
	giveBack(ticket: Ticket): void {
		if (ticket === this.#generation) this.#inFlight -= 1;
	}

	/** `pauseMs` is set if the request was rejected with a 429. */
	release(ticket: Ticket, now: number, pauseMs?: number): void {
		const isOlder = ticket !== this.#generation;
		if (!isOlder) this.#inFlight -= 1;
		if (pauseMs !== undefined) this.#pause(now + pauseMs, isOlder);
		else if (!isOlder) this.#responses += 1;
	}

	#pause(until: number, isOlder: boolean): void {
		this.#pausedUntil = Math.max(this.#pausedUntil, until);
		// A request that was in flight at the last 429 is rejected for the same reason: that is no news.
		if (isOlder) return;
		this.#generation += 1;
		this.#responses = 0;
		this.#inFlight = 0;
	}
}
