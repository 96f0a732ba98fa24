/** The gateway has forgotten a burst after this time: most limits are per minute. */
const FORGET_MS = 60_000;
/** After the first 429 another message may start soon: the limit may be that of one chat. */
const MAX_FIRST_PAUSE_MS = 1_000;
/** One message shows whether messages are accepted again. The next one waits for its response, at most this long. */
const MAX_PROBE_MS = 5_000;
/** A gateway that has accepted this many messages at once counts them; others want even intervals. */
const MIN_BURST = 5;
/** Processes do not stay in step. */
const JITTER = 0.05;
/** A 429 belongs to those before for this long, and for as much again for each second that they took. */
const QUIET_MS = 60_000;
const MAX_QUIET_MS = 600_000;
/** The shortest wait, doubled with each 429. */
const BACK_OFF_MS = 1_000;
/** Without bursts, those who wait longer for their turn lose it to others. */
const MAX_BACK_OFF_MS = { bursts: 6_000, even: 1_500 };

/** How much of what was accepted before a 429 still counts after it. */
const KEPT_SHARE = 0.7;

/** The 429s since the last accepted message. */
interface RateLimitSeries {
	readonly since: number;
	/** Between two starts when the first message started that got one. */
	readonly intervalMs: number;
	/** Those to messages that had started after the one before. */
	count: number;
	/** The end of all waits. */
	waitUntil: number;
}

export interface Permit {
	readonly startedAt: number;
	/** Between two starts, at that time; 0 without a limit. */
	readonly interval: number;
	/** How many 429s had counted at that time. */
	readonly counted: number;
}

/**
 * Learns the rate limit of an account from its 429 responses. Times are those of a steady clock.
 *
 * After a 429 one message at a time finds out when messages are accepted again. Then they start at even intervals, at
 * the rate that was accepted on average, which recovers with time.
 */
export class RateLimiter {
	#recovery?: Recovery;
	#series?: RateLimitSeries;
	/** How many messages were accepted since when, not counting the time in which none was waiting. */
	#accepted = { since: 0, count: 0 };
	#takesBursts = false;
	#pauseNotBefore = -Infinity;
	#rateNotBefore = -Infinity;
	/** The last 429 to a message that had started after the one before. -Infinity without one. */
	limitedAt = -Infinity;
	/** How many such 429s there were. */
	#counted = 0;

	constructor(private readonly random: () => number) {}

	/** The 429s since the last accepted message, unless the next one would have another cause. */
	series(now: number): RateLimitSeries | undefined {
		const series = this.#series;
		if (!series) return undefined;
		const quietMs = QUIET_MS * (1 + (this.limitedAt - series.since) / 1_000);
		const quietSince = Math.max(this.limitedAt, series.waitUntil);
		return now - quietSince > Math.min(quietMs, MAX_QUIET_MS) ? undefined : series;
	}

	/** With a limit: when the rate has reached the plateau, or has doubled. */
	get recoveredAt(): number {
		const { since, duration } = this.#recovery!;
		return since + duration;
	}

	/** The earliest start of the next message, which changes with each start and each response. */
	get notBefore(): number {
		return Math.max(this.#pauseNotBefore, this.#rateNotBefore);
	}

	/** Between two starts; 0 without a limit. */
	interval(now: number): number {
		return this.#recovery ? intervalAt(this.#recovery, now) : 0;
	}

	start(now: number): Permit {
		this.#skipIdleTime(now);
		const interval = this.interval(now);
		this.#rateNotBefore = this.series(now) ? now + MAX_PROBE_MS : this.#rateAfter(now, interval);
		return { startedAt: now, interval, counted: this.#counted };
	}

	/** Time in which no message was waiting says nothing about the limit. */
	#skipIdleTime(now: number): void {
		const idle = now - Math.max(this.notBefore, this.#series?.waitUntil ?? 0);
		if (idle > FORGET_MS) {
			this.#recovery = undefined;
			this.#series = this.series(now);
			this.#accepted = { since: now, count: 0 };
		} else if (idle > 1) {
			this.#accepted.since += idle;
		}
	}

	onAccepted(ticket: Permit, now: number): void {
		const { startedAt } = ticket;
		if (this.#series && this.#startedAfterLast429(ticket)) {
			this.#slowDown(this.#series, startedAt);
			this.#series = undefined;
			this.#rateNotBefore = this.#rateAfter(startedAt, this.interval(now));
		}
		this.#accepted.count += 1;
	}

	/** The response says nothing about the limit, or there is none. */
	onOther(ticket: Permit): void {
		if (this.#series && this.#startedAfterLast429(ticket))
			this.#rateNotBefore = ticket.startedAt + ticket.interval;
	}

	/** After a 429 to a request that is no message, which says little about messages. */
	pause(now: number, ms: number): void {
		this.#pauseNotBefore = Math.max(this.#pauseNotBefore, now + Math.min(ms, MAX_FIRST_PAUSE_MS));
	}

	/** Returns how long the message has to wait. `announcedMs`: Retry-After. */
	onRateLimited(ticket: Permit, now: number, maxWaitMs: number, announcedMs = 0): number {
		let series = this.series(now);
		if (!series) {
			if (ticket.interval === 0) this.#takesBursts = this.#accepted.count >= MIN_BURST;
			series = { since: now, intervalMs: ticket.interval, count: 0, waitUntil: now };
			this.#series = series;
		}
		if (series.count === 0 || this.#startedAfterLast429(ticket)) {
			series.count += 1;
			this.limitedAt = now;
			this.#counted += 1;
			this.#rateNotBefore = now;
		}
		const intervalMs = Math.max(ticket.interval, this.interval(now));
		// Nobody waits longer than Max Wait without an accepted message.
		const leftMs = Math.max(0, Math.min(maxWaitMs, series.since + maxWaitMs - now));
		const waitMs = Math.min(leftMs, this.#backOffMs(series.count, intervalMs, announcedMs));
		series.waitUntil = Math.max(series.waitUntil, now + waitMs);
		const pauseMs = series.count === 1 ? Math.min(waitMs, MAX_FIRST_PAUSE_MS) : waitMs;
		this.#pauseNotBefore = Math.max(this.#pauseNotBefore, now + pauseMs);
		return waitMs;
	}

	/** From the second 429 of a series on, Retry-After is only the least: it does not know how many others wait. */
	#backOffMs(count: number, intervalMs: number, announcedMs: number): number {
		if (announcedMs > 0 && count === 1) return announcedMs;
		const longest = this.#takesBursts ? MAX_BACK_OFF_MS.bursts : MAX_BACK_OFF_MS.even;
		const backOffMs = Math.max(intervalMs, BACK_OFF_MS * 2 ** (count - 1));
		return Math.max(announcedMs, Math.min(backOffMs, longest) * (1 - this.random() / 2));
	}

	/** Only then the response says something new. */
	#startedAfterLast429({ counted }: Permit): boolean {
		return counted === this.#counted;
	}

	#slowDown({ intervalMs, waitUntil }: RateLimitSeries, now: number): void {
		const { since, count } = this.#accepted;
		const accepted = { count, withinMs: now - since, inBursts: this.#takesBursts };
		this.#recovery = recoverFrom(intervalMs, accepted, waitUntil - this.limitedAt, now);
		// One 429 soon after another says little about the average, and a first burst nothing.
		const kept = intervalMs === 0 ? 0 : KEPT_SHARE;
		this.#accepted = { since: now - kept * (now - since), count: kept * count };
	}

	/** Without a limit, no start delays another one. */
	#rateAfter(start: number, interval: number): number {
		return interval === 0 ? start : start + interval * (1 + JITTER * this.random());
	}
}

/** How the rate grows again after a 429 (CUBIC): fast at first, slowly near the plateau, then faster and faster. */
interface Recovery {
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
function intervalAt({ startRate, plateau, since, duration }: Recovery, now: number): number {
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
function recoverFrom(
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
