interface MessageRateOptions {
	/** Time between two starts; 0 for no limit. */
	intervalMs: number;
	/** The maximum random delay of a start, as a share of the interval: 0 to 1. */
	jitter: number;
	/** A longer break after this many starts. */
	batch: { size: number; breakMs: number };
	random: () => number;
}

/** Hands out the times, by the steady clock, at which the messages of a run may start. */
export class MessageRate {
	#started = 0;
	#last = -Infinity;

	constructor(private readonly options: MessageRateOptions) {}

	next(now: number): number {
		const { intervalMs, jitter, random } = this.options;
		// Relative to the last slot, not to now: a late start must not delay the others, nor cause a burst.
		this.#last = Math.max(now, this.#last + this.#gapMs());
		this.#started += 1;
		return this.#last + random() * jitter * intervalMs;
	}

	#gapMs(): number {
		const { intervalMs, batch } = this.options;
		if (this.#started === 0) return 0;
		return this.#started % batch.size === 0 ? Math.max(intervalMs, batch.breakMs) : intervalMs;
	}
}
