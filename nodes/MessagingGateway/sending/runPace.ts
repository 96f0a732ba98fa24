import type { RequestFailure } from '../../../gateway/failure';
import type { Pace, Turns } from '../../../gateway/turns';
import type { Clock } from './clock';

export interface PaceOptions {
	/** Time between two starts; 0 for no limit. */
	intervalMs: number;
	/** The maximum random delay of a start, as a share of the interval: 0 to 1. */
	jitter: number;
	/** A longer break after this many starts. */
	batch?: { size: number; breakMs: number };
}

/** Even if Max Wait is shorter: one more attempt may succeed. */
const MIN_LIMITED_MS = 5_000;

const MIN_BACK_OFF_MS = 250;

/** The pace of a run's messages to one account: what the user entered, and slower while all of them get a 429. */
export class RunPace implements Pace {
	readonly intervalMs: number;
	jitterMs: number;
	notBefore = -Infinity;
	/** Why the run sends nothing more to this account. */
	givenUp?: RequestFailure;
	#heldMs = 0;
	#started = 0;
	#heldUntil = -Infinity;
	#inARow = 0;
	#deliveredBefore = 0;

	constructor(
		private readonly options: PaceOptions,
		private readonly clock: Clock,
		private readonly turns: Turns,
	) {
		this.intervalMs = options.intervalMs;
		this.jitterMs = this.#newJitter();
		turns.join(this);
	}

	/** The run has ended, perhaps before the end of a wait. */
	leave(): void {
		const now = this.clock.now();
		this.#heldMs -= Math.max(0, this.#heldUntil - now);
		this.#heldUntil = Math.min(this.#heldUntil, now);
		this.turns.leave(this, now);
	}

	onStart(slot: number): void {
		const { batch } = this.options;
		this.#started += 1;
		if (batch && this.#started % batch.size === 0) {
			this.notBefore = Math.max(this.notBefore, slot + batch.breakMs);
		}
		this.jitterMs = this.#newJitter();
	}

	/** Messages that wait at the same time are held once. */
	addHeld(from: number, until: number): void {
		this.#heldMs += Math.max(0, until - Math.max(from, this.#heldUntil));
		this.#heldUntil = Math.max(this.#heldUntil, until);
	}

	/**
	 * After a 429 to a message. While none of the account's messages is delivered, the run waits twice as long each
	 * time, without holding other runs back, and it gives up after `maxWaitMs`.
	 */
	backOff(failure: RequestFailure, maxWaitMs: number): void {
		const { limiter } = this.turns;
		const now = this.clock.now();
		const limitedFor = limiter.limitedFor(now);
		if (limiter.delivered !== this.#deliveredBefore || limitedFor === 0) this.#inARow = 0;
		this.#deliveredBefore = limiter.delivered;
		this.#inARow += 1;
		const left = maxWaitMs - limitedFor;
		// Fractions of a millisecond are lost in sums of times.
		if (limitedFor >= MIN_LIMITED_MS && left < 1) this.givenUp = failure;
		if (this.#inARow === 1) return;
		const backOffMs =
			Math.max(limiter.pausedUntil(true) - now, MIN_BACK_OFF_MS) * 2 ** (this.#inARow - 1);
		this.notBefore = Math.max(this.notBefore, now + Math.min(backOffMs, Math.max(0, left)));
		this.addHeld(now, this.notBefore);
	}

	/** For the user, if the gateway's limit slowed the run down. */
	get hint(): string | undefined {
		if (this.#heldMs === 0) return undefined;
		const seconds = (this.#heldMs / 1000).toFixed(1);
		return `The gateway limited the rate (429), so this run took about ${seconds} s longer. To stay below the limit, set 'Messages per Minute' under Options.`;
	}

	#newJitter(): number {
		return this.clock.random() * this.options.jitter * this.intervalMs;
	}
}
