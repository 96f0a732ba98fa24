export interface PaceSettings {
	/** Time between two starts; 0 is as fast as allowed. */
	intervalMs: number;
	/** Up to which share of the interval a start may come later: 0 to 1. */
	jitter: number;
	/** A longer break after so many starts. */
	batch: { size: number; breakMs: number };
}

/** Hands out the moments, by the steady clock, at which messages may start one after the other. */
export class Pace {
	#started = 0;
	#last = -Infinity;

	constructor(private readonly settings: PaceSettings) {}

	next(now: number): number {
		const { intervalMs, jitter } = this.settings;
		// From the last one's place, not from now: a slow answer must not thin out the rest, nor bring a burst.
		this.#last = Math.max(now, this.#last + this.#gap());
		this.#started += 1;
		return this.#last + Math.random() * jitter * intervalMs;
	}

	#gap(): number {
		const { intervalMs, batch } = this.settings;
		if (this.#started === 0) return 0;
		return this.#started % batch.size === 0 ? Math.max(intervalMs, batch.breakMs) : intervalMs;
	}
}
