/** Time and randomness, passed in so that tests can simulate both. */
export interface Clock {
	/** A steady clock in milliseconds, which does not change when the wall clock is set. */
	now(): number;
	/** The wall clock in milliseconds since the epoch. */
	date(): number;
	/** Resolves at that time of the steady clock, or soon after the signal is aborted. */
	sleepUntil(time: number, signal: AbortSignal): Promise<void>;
	/** From 0 to 1, without 1. */
	random(): number;
}
