import type { RequestFailure, Result } from '../../../gateway/replies/failure';
import { retryPolicy } from '../../../gateway/errors/retryPolicy';
import type { Clock } from './clock';
import { Line, newEvent, type Place } from './line';
import { RateLimiter } from './rateLimiter';

/** Requests that are no messages are few, and the user may be waiting for them. */
const MAX_OTHER_INTERVAL_MS = 1_000;
const MAX_OTHER_PAUSE_MS = 60_000;
/** Without Retry-After. */
const OTHER_PAUSE_MS = 500;
/** How long a run waits beyond Max Wait for the last message that tries the limit. */
const GRACE_MS = 1_500;

/** The result of a message, and how long it has to wait if it got a 429. */
export type Attempt<Value> = Result<Value> & { limitedMs?: number };

/** The messages of a run to the account (RunPace). */
export interface Run {
	readonly intervalMs: number;
	readonly maxWaitMs: number;
	/** Since when one of its messages waits for the account; Infinity if none does. */
	heldSince: number;
	/** Since when the messages that got a 429 have waited, if no other response came, and the last 429. */
	rejected: { since: number; at: number };
	/** Why it sends nothing more to the account. */
	readonly givenUp?: RequestFailure;
	/** Resolves when it gives up. */
	readonly ended: Promise<void>;
	giveUp(failure: RequestFailure): void;
	/** What a message waits for before it waits for the account. */
	gates(readyAt: number): Gate[];
	/** A message starts that was ready at one time, and only had to wait for the account from another time on. */
	start(readyAt: number, joinedAt: number, now: number): void;
}

/** A line, and when its first may pass. */
export interface Gate {
	line: Line;
	nextStart: () => number;
	onJoin?: () => void;
}

interface Waiting {
	signal: AbortSignal;
	/** Of a message. */
	pace?: Run;
	/** No request starts after this time. */
	deadline?: number;
}

/**
 * Decides when requests to an account start, over all runs of this process. The runs take turns. A message that waits
 * for the rate of its own run holds no other run back, and other requests never wait behind messages.
 */
export class Schedule {
	readonly limiter: RateLimiter;
	/** Runs with Messages per Minute share the lowest rate. */
	readonly paced = new Line();
	/** When the last of their messages should have started, apart from jitter. */
	lastSlot = -Infinity;
	readonly #messages = new Line();
	readonly #others = new Line();
	readonly #runs = new Set<Run>();
	#othersStart = -Infinity;
	#changed = newEvent();
	#lastFailure?: RequestFailure;

	constructor(readonly clock: Clock) {
		this.limiter = new RateLimiter(() => clock.random());
	}

	join(pace: Run): void {
		this.#runs.add(pace);
	}

	leave(pace: Run): void {
		this.#runs.delete(pace);
		this.notify();
	}

	get longestInterval(): number {
		return [...this.#runs].reduce((longest, { intervalMs }) => Math.max(longest, intervalMs), 0);
	}

	/** When the next request that is no message may start. */
	get othersStart(): number {
		return this.#othersStart;
	}

	/** Lets those who wait find out that they may start at another time than before. */
	notify(): void {
		const { resolve } = this.#changed;
		this.#changed = newEvent();
		resolve();
	}

	/** Sends a message of a run. Undefined if the signal is aborted before its turn, or the run gives up. */
	async message<Value>(
		pace: Run,
		send: () => Promise<Result<Value>>,
		signal: AbortSignal,
	): Promise<Attempt<Value> | undefined> {
		const { clock, limiter } = this;
		const readyAt = clock.now();
		let joinedAt = Infinity;
		const account: Gate = {
			line: this.#messages,
			nextStart: () => this.#nextMessage(),
			onJoin: () => {
				joinedAt = clock.now();
				pace.heldSince = joinedAt;
				// The first in line wakes when a run has waited too long.
				if (limiter.series) this.notify();
			},
		};
		const gates = [...pace.gates(readyAt), account];
		const ticket = await this.#turn(gates, { signal, pace }, (now) => {
			pace.start(readyAt, joinedAt, now);
			return limiter.start(now);
		});
		if (joinedAt < Infinity) pace.heldSince = Infinity;
		if (!ticket) return undefined;
		try {
			const result = await send();
			const now = clock.now();
			if ('value' in result) limiter.accept(ticket, now);
			const policy = 'failure' in result && retryPolicy(result.failure, clock.date());
			if (!policy || !policy.isRateLimit) {
				pace.rejected.since = Infinity;
				return result;
			}
			const limitedMs = limiter.reject(ticket, now, pace.maxWaitMs, policy.waitMs);
			pace.rejected = { since: Math.min(pace.rejected.since, joinedAt), at: now };
			this.#pauseOthers(now, Math.min(limitedMs, policy.waitMs ?? OTHER_PAUSE_MS));
			this.#giveUp(result.failure, now);
			return { ...result, limitedMs };
		} finally {
			limiter.ignore(ticket);
		}
	}

	/** Sends another request. Undefined if the signal is aborted or the deadline has passed before its turn. */
	async other<Value>(
		send: () => Promise<Result<Value>>,
		signal: AbortSignal,
		deadline: number,
	): Promise<Result<Value> | undefined> {
		const { clock, limiter } = this;
		const gate = { line: this.#others, nextStart: () => this.#othersStart };
		const isStarted = await this.#turn([gate], { signal, deadline }, (now) => {
			const interval = Math.min(limiter.interval(now), MAX_OTHER_INTERVAL_MS);
			if (interval > 0) this.#othersStart = now + interval;
			return true;
		});
		if (!isStarted) return undefined;
		const result = await send();
		const policy = 'failure' in result && retryPolicy(result.failure, clock.date());
		if (policy && policy.isRateLimit) {
			const waitMs = policy.waitMs ?? OTHER_PAUSE_MS * (1 - clock.random() / 2);
			limiter.pause(clock.now(), waitMs);
			this.#pauseOthers(clock.now(), waitMs);
			this.notify();
		}
		return result;
	}

	#pauseOthers(now: number, ms: number): void {
		this.#othersStart = Math.max(this.#othersStart, now + Math.min(ms, MAX_OTHER_PAUSE_MS));
	}

	/** Passes the gates one by one. Nobody else passes one of them before the start. */
	async #turn<Started>(
		gates: Gate[],
		{ signal, pace, deadline = Infinity }: Waiting,
		start: (now: number) => Started,
	): Promise<Started | undefined> {
		const { clock } = this;
		const places: Place[] = [];
		try {
			for (const { line, nextStart, onJoin } of gates) {
				const place = line.join();
				places.push(place);
				onJoin?.();
				for (;;) {
					const time = place.isFirst ? nextStart() : Infinity;
					const now = clock.now();
					if (signal.aborted || now >= deadline || pace?.givenUp) return undefined;
					if (time <= now) break;
					const end = new AbortController();
					await Promise.race([
						clock.sleepUntil(Math.min(time, deadline), signal, end.signal),
						place.isFirst ? this.#changed.promise : place.turn,
						...(pace ? [pace.ended] : []),
					]);
					// Ends the sleep. Without a reason, Node.js makes an error with a stack each time.
					end.abort('awake');
				}
			}
			return start(clock.now());
		} finally {
			for (const { leave } of places) leave();
		}
	}

	/** When the first message may start; or earlier, when a run will have waited too long. */
	#nextMessage(): number {
		const { series, nextStart } = this.limiter;
		const now = this.clock.now();
		let next = nextStart;
		if (next <= now || !series) return next;
		for (const pace of this.#runs) {
			const since = Math.max(series.since, Math.min(pace.heldSince, pace.rejected.since));
			const giveUpAt = since + pace.maxWaitMs + GRACE_MS;
			if (giveUpAt <= now) pace.giveUp(this.#lastFailure!);
			else next = Math.min(next, giveUpAt);
		}
		return next;
	}

	/** After a 429: ends the runs that have had one, too, and have waited too long. */
	#giveUp(failure: RequestFailure, now: number): void {
		const { since } = this.limiter.series!;
		this.#lastFailure = failure;
		for (const pace of this.#runs) {
			// Fractions of a millisecond are lost in sums of times.
			const isTooLong = now - since > pace.maxWaitMs - 1;
			if (isTooLong && pace.rejected.at >= since) pace.giveUp(failure);
		}
	}
}
