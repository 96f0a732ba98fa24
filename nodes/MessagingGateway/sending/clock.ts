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
