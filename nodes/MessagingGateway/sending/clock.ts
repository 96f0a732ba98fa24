/** Provides time and random numbers. It is a parameter, so that tests can simulate both. */
export interface Clock {
	/** Returns the milliseconds since the process started, by a steady clock: it does not change when the wall clock is set. */
	now(): number;
	/** Returns the wall clock in milliseconds since the epoch. */
	date(): number;
	/**
	 * Resolves at that time of the steady clock, or soon after one of the signals is aborted. Must not add listeners to the
	 * signals, because Node.js warns about many listeners on one signal.
	 */
	sleepUntil(time: number, ...signals: AbortSignal[]): Promise<void>;
	/** Returns a random number that is at least 0 and less than 1. */
	random(): number;
}

/** A loop blocks the process at most this long, because n8n also runs its editor and other executions in it. */
const MAX_BLOCKING_MS = 50;

/** Interrupts a long loop, so that the rest of the process can run. */
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
