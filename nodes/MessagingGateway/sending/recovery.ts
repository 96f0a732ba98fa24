/** How the rate grows again after a 429 (CUBIC): fast at first, slowly near the plateau, then faster and faster. */
export interface Recovery {
	/** Messages per millisecond, at `since`. */
	readonly startRate: number;
	/** Just below the rate of the last 429, if it had one. Infinity: the rate doubles in each `duration`. */
	readonly plateau: number;
	readonly since: number;
	/** Until the plateau is reached, or the rate has doubled. */
	readonly duration: number;
}

/** With a shorter interval, there is no limit. */
const MIN_INTERVAL_MS = 5;
/** Nobody waits longer for the next attempt, however many processes share the limit. */
const MAX_INTERVAL_MS = 20_000;
/** Beyond the plateau, the rate grows by this share in the first `duration`. */
const GROWTH = 0.1;
/** A 429 makes an interval longer by `least`, and by up to `more` besides: by half of that after `half` messages. */
const SLOW_DOWN = { least: 0.04, more: 0.4, half: 6 };
/** The plateau, relative to the rate of the last 429, and to the one after it. */
const PLATEAU = 0.95;
const MAX_GAIN = 3;
/** A limit that takes no bursts loses the time in which nobody sends, so it is tried more often. */
const DURATION_MS = { even: 17_000, bursts: 20_000, mostForBursts: 40_000 };
const DURATION_INTERVALS = 8;
/** A rate that is too high costs another wait, so long waits make the recovery slower. */
const DURATION_WAITS = { first: 6, later: 20 };
/** A limit that comes soon may be a short one: the rate doubles in this share of the time since the first message. */
const MAX_SHORT_MS = 10_000;
const DOUBLING = 0.75;
const MIN_DOUBLING_MS = 300;

/** Between two messages; 0 without a limit. */
export function intervalAt({ startRate, plateau, since, duration }: Recovery, now: number): number {
	const time = Math.max(0, now - since) / duration;
	const height = time < 1 ? plateau - startRate : Math.max(plateau - startRate, GROWTH * plateau);
	const rate = plateau === Infinity ? startRate * 2 ** time : plateau + height * (time - 1) ** 3;
	return 1 / rate < MIN_INTERVAL_MS ? 0 : 1 / rate;
}

interface Accepted {
	/** How many messages, in which time; it includes the waits after 429s. */
	count: number;
	withinMs: number;
	/** Whether many of them were accepted at once. */
	inBursts: boolean;
}

/** After 429s, the first of them to a message that was sent at the interval `rejectedInterval`. */
export function recoverFrom(
	rejectedInterval: number,
	{ count, withinMs, inBursts }: Accepted,
	waitMs: number,
	since: number,
): Recovery {
	const { least, more, half } = SLOW_DOWN;
	const slower = rejectedInterval * (1 + least + (more * count) / (count + half));
	const average = Math.max(slower, withinMs / Math.max(1, count));
	const interval = Math.min(average, Math.max(MAX_INTERVAL_MS, waitMs));
	const startRate = 1 / interval;
	if (rejectedInterval === 0 && withinMs < MAX_SHORT_MS) {
		const duration = Math.max(MIN_DOUBLING_MS, DOUBLING * withinMs);
		return { startRate, plateau: Infinity, since, duration };
	}
	const { even, bursts, mostForBursts } = DURATION_MS;
	const forBursts = Math.min(mostForBursts, Math.max(bursts, DURATION_INTERVALS * interval));
	const { first, later } = DURATION_WAITS;
	const forWaits = rejectedInterval === 0 ? first * withinMs : later * waitMs;
	return {
		startRate,
		plateau:
			rejectedInterval === 0
				? startRate
				: Math.min(PLATEAU / rejectedInterval, MAX_GAIN * startRate),
		since,
		duration: Math.max(inBursts ? forBursts : even, forWaits),
	};
}
