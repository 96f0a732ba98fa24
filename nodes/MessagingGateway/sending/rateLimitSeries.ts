/** A 429 belongs to those before for this long, and for as much again for each second that they took. */
const QUIET_MS = 60_000;
const MAX_QUIET_MS = 600_000;
/** The shortest wait, doubled with each 429, also with Retry-After, which does not know how many others wait. */
const BACK_OFF_MS = 1_000;
/** Without bursts, those who wait longer for their turn lose it to others. */
const MAX_BACK_OFF_MS = { bursts: 6_000, even: 1_500 };

interface Wait {
	now: number;
	/** Retry-After; 0 without one. */
	announcedMs: number;
	maxWaitMs: number;
	/** Between two starts. */
	intervalMs: number;
	takesBursts: boolean;
}

/** The 429s since the last accepted message. */
export class RateLimitSeries {
	/** Those that were news. */
	count = 0;
	/** The end of all waits. */
	waitUntil: number;

	constructor(
		readonly since: number,
		/** Between two starts when the first message started that got one. */
		readonly intervalMs: number,
	) {
		this.waitUntil = since;
	}

	/** Whether one that comes now has another cause. */
	isOver(now: number, lastAt: number): boolean {
		const quietMs = QUIET_MS * (1 + (lastAt - this.since) / 1_000);
		return now - Math.max(lastAt, this.waitUntil) > Math.min(quietMs, MAX_QUIET_MS);
	}

	/** How long a message waits that has got one. */
	waitMs(wait: Wait, random: () => number): number {
		const { now, announcedMs, maxWaitMs, intervalMs, takesBursts } = wait;
		const backOff = Math.max(intervalMs, BACK_OFF_MS * 2 ** (this.count - 1));
		const longest = takesBursts ? MAX_BACK_OFF_MS.bursts : MAX_BACK_OFF_MS.even;
		const isTrusted = announcedMs > 0 && this.count === 1;
		const ownMs = isTrusted ? 0 : Math.min(backOff, longest) * (1 - random() / 2);
		// Nobody waits longer than Max Wait without an accepted message.
		const leftMs = Math.max(0, Math.min(maxWaitMs, this.since + maxWaitMs - now));
		const waitMs = Math.min(leftMs, Math.max(announcedMs, ownMs));
		this.waitUntil = Math.max(this.waitUntil, now + waitMs);
		return waitMs;
	}
}
