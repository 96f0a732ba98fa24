import type { RequestFailure } from '../../../gateway/replies/failure';
import { Line, newEvent } from './line';
import type { Gate, Run, Schedule } from './schedule';

export interface PaceOptions {
	/** Time between two starts; 0 for no limit. */
	intervalMs: number;
	/** The maximum random delay of a start, as a share of the interval: 0 to 1. */
	jitter: number;
	/** A longer break after this many starts. */
	batch?: { size: number; breakMs: number };
}

/** A start that is later by this than the rate of the run allows was held back by something else. */
const MAX_LATE_MS = 50;

/** The messages of a run to one account: at the rate that the user entered, and not faster than the account allows. */
export class RunPace implements Run {
	readonly intervalMs: number;
	givenUp?: RequestFailure;
	heldSince = Infinity;
	rejected = { since: Infinity, at: -Infinity };
	readonly #givenUp = newEvent();
	readonly #line = new Line();
	#jitterMs: number;
	#started = 0;
	#notBefore = -Infinity;
	#heldMs = 0;
	#heldUntil = -Infinity;

	constructor(
		private readonly options: PaceOptions,
		/** The longest wait before a retry, and the longest time without an accepted message while the account is limited. */
		readonly maxWaitMs: number,
		readonly schedule: Schedule,
	) {
		this.intervalMs = options.intervalMs;
		this.#jitterMs = this.#newJitter();
		schedule.join(this);
	}

	/** The run has ended. */
	leave(): void {
		this.schedule.leave(this);
	}

	gates(readyAt: number): Gate[] {
		const gate = { line: this.#line, nextStart: () => this.#notBefore };
		const nextStart = () => this.#slot(readyAt) + this.#jitterMs;
		return this.intervalMs > 0 ? [gate, { line: this.schedule.paced, nextStart }] : [gate];
	}

	giveUp(failure: RequestFailure): void {
		this.givenUp ??= failure;
		this.#givenUp.resolve();
	}

	get ended(): Promise<void> {
		return this.#givenUp.promise;
	}

	start(readyAt: number, joinedAt: number, now: number): void {
		const { batch } = this.options;
		const slot = this.#slot(readyAt);
		const isLate = now - slot - this.#jitterMs > MAX_LATE_MS;
		const start = isLate ? now : slot;
		if (this.intervalMs > 0) this.schedule.lastSlot = start;
		this.#started += 1;
		if (batch && this.#started % batch.size === 0) this.#notBefore = start + batch.breakMs;
		this.#jitterMs = this.#newJitter();
		this.addHeld(joinedAt, now);
	}

	#slot(readyAt: number): number {
		const { lastSlot, longestInterval } = this.schedule;
		const next = this.intervalMs > 0 ? lastSlot + longestInterval : -Infinity;
		return Math.max(readyAt, this.#notBefore, next);
	}

	/** The limit of the account held messages back; those that wait at the same time, once. */
	addHeld(from: number, until: number): void {
		this.#heldMs += Math.max(0, until - Math.max(from, this.#heldUntil));
		this.#heldUntil = Math.max(this.#heldUntil, until);
	}

	/** For the user, if the limit of the account slowed the run down. */
	get hint(): string | undefined {
		const { clock, limiter } = this.schedule;
		if (this.#heldMs === 0 || limiter.limitedAt === -Infinity) return undefined;
		const now = clock.now();
		const timeOf = (time: number) =>
			`${new Date(clock.date() + time - now).toISOString().slice(11, 19)} UTC`;
		const seconds = (this.#heldMs / 1000).toFixed(1);
		const interval = limiter.interval(now);
		const rate =
			interval > 0
				? ` The account now gets about ${Math.max(1, Math.round(60_000 / interval))} messages per minute, more from ${timeOf(Math.max(now, limiter.recoveredAt))} on, and no limit after a minute without messages.`
				: '';
		return `The gateway limited the rate (429, last at ${timeOf(limiter.limitedAt)}), so this run took about ${seconds} s longer.${rate} To stay below the limit, set 'Messages per Minute' under Options.`;
	}

	#newJitter(): number {
		return this.schedule.clock.random() * this.options.jitter * this.intervalMs;
	}
}
