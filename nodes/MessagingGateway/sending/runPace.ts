import type { RequestFailure } from '../../../gateway/replies/failure';
import { Line } from './line';

export interface PaceOptions {
	/** Time between two starts; 0 for no limit. */
	intervalMs: number;
	/** Each interval is a random one up to this. */
	maxIntervalMs?: number;
	/** The maximum random delay of a start, as a share of the interval: 0 to 1. */
	jitter: number;
	/** A longer break after this many starts. */
	batch?: { size: number; breakMs: number };
}

/** A start that is later by this than the rate of the run allows was held back by something else. */
const MAX_LATE_MS = 50;

/** The messages of a run to an account. Its schedule lets them start. */
export class RunPace {
	/** The runs take turns, so only the first message waits for the account. */
	readonly line = new Line();
	/** Why it sends nothing more to the account. */
	givenUp?: RequestFailure;
	/** When it last got a 429. */
	rejectedAt = -Infinity;
	/** How long the limit of the account held messages back; those that wait at the same time, once. */
	held = { ms: 0, until: -Infinity };
	/** The end of the break between two batches. */
	notBefore = -Infinity;
	/** Between the last start and the next one. */
	intervalMs: number;
	#started = 0;
	#jitterMs: number;
	readonly #stop = new AbortController();

	constructor(
		readonly options: PaceOptions,
		/** The longest wait before a retry, and the longest time without an accepted message while the account is limited. */
		readonly maxWaitMs: number,
		private readonly random: () => number,
	) {
		this.intervalMs = this.#newInterval();
		this.#jitterMs = this.#newJitter();
	}

	/** Whether it has a rate of its own. */
	get isPaced(): boolean {
		const { intervalMs, maxIntervalMs = intervalMs } = this.options;
		return maxIntervalMs > 0;
	}

	/** When a message may start for which there is a slot at that time. */
	startAt(slot: number): number {
		return Math.max(slot, this.notBefore) + this.#jitterMs;
	}

	/** A message starts. Returns the slot that it uses. */
	start(slot: number, now: number): number {
		const isLate = now - this.startAt(slot) > MAX_LATE_MS;
		const used = isLate ? now : Math.max(slot, this.notBefore);
		const { batch } = this.options;
		this.#started += 1;
		if (batch && this.#started % batch.size === 0) this.notBefore = used + batch.breakMs;
		this.intervalMs = this.#newInterval();
		this.#jitterMs = this.#newJitter();
		return used;
	}

	/** Aborted when it gives up. */
	get stopped(): AbortSignal {
		return this.#stop.signal;
	}

	giveUp(failure: RequestFailure): void {
		this.givenUp ??= failure;
		this.#stop.abort('given up');
	}

	addHeld(from: number, until: number): void {
		this.held.ms += Math.max(0, until - Math.max(from, this.held.until));
		this.held.until = Math.max(this.held.until, until);
	}

	#newInterval(): number {
		const { intervalMs, maxIntervalMs = intervalMs } = this.options;
		if (maxIntervalMs === intervalMs) return intervalMs;
		return intervalMs + this.random() * (maxIntervalMs - intervalMs);
	}

	#newJitter(): number {
		return this.random() * this.options.jitter * this.options.intervalMs;
	}
}
