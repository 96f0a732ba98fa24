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

/** Returns a function that interrupts a long loop when it is due, so that the rest of the process can run. */
export function eventLoopBreaks(clock: Clock, signal: AbortSignal): () => Promise<void> {
	let next = clock.now() + MAX_BLOCKING_MS;
	return async () => {
		if (clock.now() < next) return;
		await clock.sleepUntil(clock.now() + 1, signal);
		next = clock.now() + MAX_BLOCKING_MS;
	};
}
