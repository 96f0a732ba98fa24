/** The gateway has forgotten a burst after this time, because most limits are per minute. */
const FORGET_MS = 60_000;
/** After the first 429, another message may start soon, because the limit may be that of one chat. */
const MAX_FIRST_PAUSE_MS = 1_000;
/** While probing, the next message waits for the response to the one before, at most this long. */
const MAX_PROBE_MS = 5_000;
/** A gateway that has accepted this many messages at once counts messages. Other gateways want even intervals. */
const MIN_BURST = 5;
/** Adds a random share to each interval, so that several processes do not stay in step. */
const JITTER = 0.05;
/** A 429 that comes this long after the last one begins a new series. After a series of n seconds, the time is n + 1 times as long. */
const QUIET_MS = 60_000;
const MAX_QUIET_MS = 600_000;
/** The wait after the first 429 without Retry-After, doubled with each further one. Up to half of it is taken off at random. */
const BACK_OFF_MS = 1_000;
/** Where the gateway accepts no bursts, a process that waits longer loses its turn to others. */
const MAX_BACK_OFF_MS = { bursts: 6_000, even: 1_500 };

/** This share of the messages that were accepted before a 429 still counts after it. */
const KEPT_SHARE = 0.7;
/** A shorter interval counts as no limit. */
const MIN_INTERVAL_MS = 5;
/** The longest interval after a 429, unless the gateway asked for a longer wait, however many processes share the limit. */
const MAX_INTERVAL_MS = 20_000;
/** Beyond the plateau, the rate grows by this share in the first `duration`. */
const GROWTH = 0.1;
/** A 429 makes an interval longer by the share `least`, and by up to `more` in addition: by half of `more` after `half` messages. */
const SLOW_DOWN = { least: 0.04, more: 0.4, half: 6 };
/** The plateau is this share of the rate that got the last 429. */
const PLATEAU = 0.95;
/** The plateau is at most this many times the rate with which the recovery begins. */
const MAX_GAIN = 3;
/** Without bursts, time in which nobody sends is lost, so the rate grows sooner. */
const DURATION_MS = { even: 17_000, bursts: 20_000, mostForBursts: 40_000 };
const DURATION_INTERVALS = 8;
/** A rate that is too high costs another wait, so a recovery takes this many times the wait or, the first time, that of the burst. */
const DURATION_WAITS = { first: 6, later: 20 };
/** A 429 soon after the first message may mean a limit per second. The rate then doubles in this share of the time since then. */
const MAX_SHORT_MS = 10_000;
const DOUBLING = 0.75;
const MIN_DOUBLING_MS = 300;

/** A series of 429s. It ends when a message is accepted that had started after the last of them. */
interface RateLimitSeries {
	readonly since: number;
	/** The interval at which the first message of the series had started. */
	readonly intervalMs: number;
	/** Counts only the 429s to messages that had started after the previous 429. The others say nothing new. */
	count: number;
	waitUntil: number;
}

export interface Permit {
	readonly startedAt: number;
	/** The interval between two starts at that time, or 0 without a limit. */
	readonly interval: number;
	/** The number of 429s that had counted at that time. */
	readonly counted429s: number;
}

/**
 * Learns the rate limit of an account from its 429 responses. All times are those of a steady clock. Its states:
 *
 *     free ───429──▶ limited ──the pause is over─▶ probing ──accepted──▶ recovering
 *      ▲                ▲                             │                      │ │
 *      │                └─────────────429─────────────┴──────────429─────────┘ │
 *      └────── a minute without messages, or a rate that needs no limit ───────┘
 *
 * - free: messages start as soon as their run wants.
 * - limited: no message starts, because the account pauses.
 * - probing: one message at a time finds out whether messages are accepted again.
 * - recovering: messages start at even intervals, at first at the rate that was accepted on average, then faster.
 */
export class RateLimiter {
	#recovery?: Recovery;
	#series?: RateLimitSeries;
	/** How many messages were accepted since when, without the time in which no message was waiting. */
	#accepted = { since: 0, count: 0 };
	#takesBursts = false;
	#pauseNotBefore = -Infinity;
	#rateNotBefore = -Infinity;
	lastCounted429At = -Infinity;
	#counted429s = 0;

	constructor(private readonly random: () => number) {}

	/** Returns the 429s since the last accepted message, unless they are so old that the next 429 would have another cause. */
	series(now: number): RateLimitSeries | undefined {
		const series = this.#series;
		if (!series) return undefined;
		const quietMs = QUIET_MS * (1 + (this.lastCounted429At - series.since) / 1_000);
		const quietSince = Math.max(this.lastCounted429At, series.waitUntil);
		return now - quietSince > Math.min(quietMs, MAX_QUIET_MS) ? undefined : series;
	}

	get notBefore(): number {
		return Math.max(this.#pauseNotBefore, this.#rateNotBefore);
	}

	interval(now: number): number {
		return this.#recovery ? intervalAt(this.#recovery, now) : 0;
	}

	recordStart(now: number): Permit {
		this.#skipIdleTime(now);
		const interval = this.interval(now);
		const isProbing = this.series(now) && now >= this.#pauseNotBefore;
		this.#rateNotBefore = isProbing ? now + MAX_PROBE_MS : this.#rateAfter(now, interval);
		return { startedAt: now, interval, counted429s: this.#counted429s };
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

	onAccepted(permit: Permit, now: number): void {
		const { startedAt } = permit;
		if (this.#series && this.#startedAfterLast429(permit)) {
			this.#beginRecovery(this.#series, startedAt);
			this.#series = undefined;
			this.#rateNotBefore = this.#rateAfter(startedAt, this.interval(now));
		}
		this.#accepted.count += 1;
	}

	/** Frees the turn of a message whose response says nothing about the limit, or which got no response. */
	onUninformative(permit: Permit): void {
		if (this.#series && this.#startedAfterLast429(permit))
			this.#rateNotBefore = permit.startedAt + permit.interval;
	}

	/** Pauses messages only briefly, because a 429 to another request says little about messages. */
	pause(now: number, ms: number): void {
		this.#pauseNotBefore = Math.max(this.#pauseNotBefore, now + Math.min(ms, MAX_FIRST_PAUSE_MS));
	}

	/** Returns how long the message has to wait. `requestedWaitMs` is the wait that the gateway asked for. */
	onRateLimited(permit: Permit, now: number, maxWaitMs: number, requestedWaitMs = 0): number {
		let series = this.series(now);
		if (!series) {
			if (permit.interval === 0) this.#takesBursts = this.#accepted.count >= MIN_BURST;
			series = { since: now, intervalMs: permit.interval, count: 0, waitUntil: now };
			this.#series = series;
		}
		if (series.count === 0 || this.#startedAfterLast429(permit)) {
			series.count += 1;
			this.lastCounted429At = now;
			this.#counted429s += 1;
			this.#rateNotBefore = now;
		}
		const intervalMs = Math.max(permit.interval, this.interval(now));
		// No message waits longer than Max Wait without an accepted one.
		const leftMs = Math.max(0, Math.min(maxWaitMs, series.since + maxWaitMs - now));
		const waitMs = Math.min(leftMs, this.#backOffMs(series.count, intervalMs, requestedWaitMs));
		series.waitUntil = Math.max(series.waitUntil, now + waitMs);
		const pauseMs = series.count === 1 ? Math.min(waitMs, MAX_FIRST_PAUSE_MS) : waitMs;
		this.#pauseNotBefore = Math.max(this.#pauseNotBefore, now + pauseMs);
		return waitMs;
	}

	/** From the second 429 of a series on, Retry-After is only the minimum, because the gateway does not know how many messages wait. */
	#backOffMs(count: number, intervalMs: number, requestedWaitMs: number): number {
		if (requestedWaitMs > 0 && count === 1) return requestedWaitMs;
		const longest = this.#takesBursts ? MAX_BACK_OFF_MS.bursts : MAX_BACK_OFF_MS.even;
		const backOffMs = Math.max(intervalMs, BACK_OFF_MS * 2 ** (count - 1));
		return Math.max(requestedWaitMs, Math.min(backOffMs, longest) * (1 - this.random() / 2));
	}

	/** Returns whether a response says something new: the message had started after the last 429. */
	#startedAfterLast429({ counted429s }: Permit): boolean {
		return counted429s === this.#counted429s;
	}

	#beginRecovery({ intervalMs, waitUntil }: RateLimitSeries, now: number): void {
		const { since, count } = this.#accepted;
		const accepted = { count, withinMs: now - since, inBursts: this.#takesBursts };
		this.#recovery = recoverFrom(intervalMs, accepted, waitUntil - this.lastCounted429At, now);
		// One 429 soon after another says little about the average, and a first burst says nothing.
		const kept = intervalMs === 0 ? 0 : KEPT_SHARE;
		this.#accepted = { since: now - kept * (now - since), count: kept * count };
	}

	/** Returns the next start after this one. Without a limit, no start delays another one. */
	#rateAfter(start: number, interval: number): number {
		return interval === 0 ? start : start + interval * (1 + JITTER * this.random());
	}
}

/** Describes how the rate grows again after a 429, as in CUBIC: fast at first, slowly near the plateau, then faster and faster. */
interface Recovery {
	/** In messages per millisecond. */
	readonly startRate: number;
	/** A rate just below that of the last 429. With Infinity, the rate doubles in each `duration`. */
	readonly plateau: number;
	readonly since: number;
	/** The time until the rate reaches the plateau, or has doubled. */
	readonly duration: number;
}

function intervalAt({ startRate, plateau, since, duration }: Recovery, now: number): number {
	const time = Math.max(0, now - since) / duration;
	const height = time < 1 ? plateau - startRate : Math.max(plateau - startRate, GROWTH * plateau);
	const rate = plateau === Infinity ? startRate * 2 ** time : plateau + height * (time - 1) ** 3;
	return 1 / rate < MIN_INTERVAL_MS ? 0 : 1 / rate;
}

interface Accepted {
	/** The number of messages in `withinMs`, which includes the waits after 429s. */
	count: number;
	withinMs: number;
	/** Whether many of the messages were accepted at once. */
	inBursts: boolean;
}

/** Returns the recovery after a series of 429s. Its first message had been sent at the interval `rejectedInterval`. */
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
	const fasterRate = Math.min(PLATEAU / rejectedInterval, MAX_GAIN * startRate);
	const plateau = rejectedInterval === 0 ? startRate : fasterRate;
	return { startRate, plateau, since, duration: Math.max(inBursts ? forBursts : even, forWaits) };
}
