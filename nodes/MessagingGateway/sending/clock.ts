/** Time and randomness, passed in so that tests can simulate both. */
export interface Clock {
	/** A steady clock in milliseconds, which does not change when the wall clock is set. */
	now(): number;
	/** The wall clock in milliseconds since the epoch. */
	date(): number;
	/**
	 * Resolves at that time of the steady clock, or soon after one of the signals is aborted. It adds no listeners to
	 * them, because Node.js warns if many wait for the same signal.
	 */
	sleepUntil(time: number, ...signals: AbortSignal[]): Promise<void>;
	/** From 0 to 1, without 1. */
	random(): number;
}

/** n8n serves its editor and other executions from the same process. */
const MAX_BLOCKING_MS = 50;

/** Lets the rest of the process run while a long loop works. */
export class EventLoopBreaks {
	#next: number;

	constructor(
		private readonly clock: Clock,
		private readonly signal: AbortSignal,
	) {
		this.#next = clock.now() + MAX_BLOCKING_MS;
	}

	async ifDue(): Promise<void> {
		if (this.clock.now() < this.#next) return;
		await this.clock.sleepUntil(this.clock.now() + 1, this.signal);
		this.#next = this.clock.now() + MAX_BLOCKING_MS;
	}
}
