import type { Ticket } from '../../../gateway/rateLimiter';
import type { Turns, Waiter } from '../../../gateway/turns';
import type { Clock } from './clock';
import type { RunPace } from './runPace';

export interface TurnOptions {
	clock: Clock;
	turns: Turns;
	/** Only messages have one. */
	pace?: RunPace;
	/** No attempt starts after this time of the clock. */
	deadline?: number;
}

/** Waits for the turn of a request. Undefined if the signal or the deadline comes first, or the run gives up. */
export async function waitForTurn(
	{ clock, turns, pace, deadline = Infinity }: TurnOptions,
	signal: AbortSignal,
): Promise<Ticket | undefined> {
	const waiter = new SleepingWaiter(clock, signal, pace);
	turns.add(waiter);
	try {
		while (!signal.aborted && clock.now() < deadline && !pace?.givenUp) {
			const time = turns.timeFor(waiter, clock.now());
			if (time <= clock.now()) return turns.start(waiter, clock.now());
			await waiter.sleepUntil(Math.min(time, deadline));
		}
		return undefined;
	} finally {
		turns.remove(waiter, clock.now());
	}
}

const SHORTLY_MS = 0.01;

class SleepingWaiter implements Waiter {
	readonly since: number;
	wake = () => {};
	wakeShortly = () => {};

	constructor(
		private readonly clock: Clock,
		private readonly signal: AbortSignal,
		readonly pace?: RunPace,
	) {
		this.since = clock.now();
	}

	/** Or until it is woken. */
	async sleepUntil(time: number): Promise<void> {
		const end = new AbortController();
		const woken = new Promise<void>((resolve) => {
			this.wake = resolve;
			this.wakeShortly = () => {
				this.wakeShortly = () => {};
				void this.clock.sleepUntil(this.clock.now() + SHORTLY_MS, end.signal).then(resolve);
			};
		});
		await Promise.race([this.clock.sleepUntil(time, this.signal, end.signal), woken]);
		// Ends the sleep if it lost the race. Without a reason, Node.js makes an error with a stack each time.
		end.abort('awake');
	}
}
