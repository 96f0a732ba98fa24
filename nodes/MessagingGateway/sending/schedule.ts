import type { RequestFailure, Result } from '../../../gateway/replies/failure';
import { retryPolicy } from '../../../gateway/errors/retryPolicy';
import type { Clock } from './clock';
import { Line, type Place, woken } from './line';
import { RateLimiter, type Ticket } from './rateLimiter';
import { type PaceOptions, RunPace } from './runPace';

/** Requests that are no messages are few, and the user may be waiting for them. */
const MAX_OTHER_INTERVAL_MS = 1_000;
const MAX_OTHER_PAUSE_MS = 60_000;
/** Without Retry-After. */
const OTHER_PAUSE_MS = 500;
/** How long a run waits beyond Max Wait for the last message that tries the limit. */
const GRACE_MS = 1_500;
/** Each 429 may change when a run gives up, so a message that waits for the account checks this often. */
const CHECK_MS = 400;

/**
 * Decides when requests to an account start, over all runs of this process. The runs take turns. A message that waits
 * for the rate of its own run holds no other run back, and other requests never wait behind messages.
 */
export class Schedule {
	readonly limiter: RateLimiter;
	readonly #messages = new Line();
	/** Runs with Messages per Minute share the lowest rate. */
	readonly #paced = new Line();
	readonly #runs = new Set<RunPace>();
	/** When the last message of a run with Messages per Minute should have started, apart from jitter. */
	#lastSlot = -Infinity;
	#othersStart = -Infinity;
	#lastFailure?: RequestFailure;

	constructor(readonly clock: Clock) {
		this.limiter = new RateLimiter(() => clock.random());
	}

	join(options: PaceOptions, maxWaitMs: number): RunPace {
		const run = new RunPace(options, maxWaitMs, () => this.clock.random());
		this.#runs.add(run);
		return run;
	}

	leave(run: RunPace): void {
		this.#runs.delete(run);
		this.notify();
	}

	/** When the next request that is no message may start. */
	get othersStart(): number {
		return this.#othersStart;
	}

	/** Lets those who wait find out that they may start at another time than before. */
	notify(): void {
		this.#messages.wakeFirst();
		this.#paced.wakeFirst();
	}

	/**
	 * Waits for the turn of a message: in its run, for the rate of the run, and for the limit of the account. Undefined if
	 * it is cancelled, or the run gives up.
	 */
	async start(run: RunPace, cancelled: AbortSignal): Promise<Ticket | undefined> {
		const { clock, limiter } = this;
		const readyAt = clock.now();
		const slot = () => Math.max(readyAt, run.isPaced ? this.#nextSlot : -Infinity);
		const steps = [
			{ line: run.line, nextStart: () => run.notBefore },
			...(run.isPaced ? [{ line: this.#paced, nextStart: () => run.startAt(slot()) }] : []),
			{ line: this.#messages, nextStart: () => limiter.nextStart },
		];
		const places: Place[] = [];
		let heldSince = Infinity;
		try {
			for (const { line, nextStart } of steps) {
				const place = line.join();
				places.push(place);
				heldSince = clock.now();
				for (;;) {
					const now = clock.now();
					if (cancelled.aborted || run.givenUp) return undefined;
					const time = place.isFirst ? nextStart() : Infinity;
					if (time <= now) break;
					const isHeld = line === this.#messages;
					const wakeAt = isHeld ? Math.min(time, now + CHECK_MS) : time;
					const isTooLong = isHeld && now >= this.#giveUpAt(run, heldSince) + GRACE_MS;
					if (isTooLong) run.giveUp(this.#lastFailure!);
					else await this.#sleep(place, wakeAt, cancelled, run.stopped);
				}
			}
			const now = clock.now();
			const used = run.start(slot(), now);
			if (run.isPaced) this.#lastSlot = used;
			run.addHeld(heldSince, now);
			return limiter.start(now);
		} finally {
			for (const place of places) place.leave();
		}
	}

	/** Of the rates of the runs, the lowest applies. */
	get #nextSlot(): number {
		const intervals = [...this.#runs].map(({ intervalMs }) => intervalMs);
		return this.#lastSlot + Math.max(...intervals);
	}

	/** It stays in its place. */
	async #sleep(place: Place, until: number, ...signals: AbortSignal[]): Promise<void> {
		const awake = new AbortController();
		const asleep = this.clock.sleepUntil(until, ...signals, awake.signal);
		await Promise.race([asleep, woken(place)]);
		// Ends the sleep. Without a reason, Node.js makes an error with a stack each time.
		awake.abort('awake');
	}

	/**
	 * When a run gives up if the account accepts nothing until then: Max Wait after the 429 that began it. A run that has
	 * not had one of its own has waited only since `heldSince`.
	 */
	#giveUpAt(run: RunPace, heldSince: number): number {
		const { since } = this.limiter.series(this.clock.now()) ?? { since: Infinity };
		return Math.max(since, run.rejectedAt < since ? heldSince : since) + run.maxWaitMs;
	}

	/** After the response to a message. Returns how long it has to wait if it got a 429. */
	end(run: RunPace, ticket: Ticket, result: Result<unknown>): number | undefined {
		const { clock, limiter } = this;
		const now = clock.now();
		if (!('failure' in result)) {
			limiter.accept(ticket, now);
			return undefined;
		}
		const { failure } = result;
		const { isRateLimit, waitMs: announcedMs } = retryPolicy(failure, clock.date());
		if (!isRateLimit) {
			limiter.ignore(ticket);
			return undefined;
		}
		const waitMs = limiter.reject(ticket, now, run.maxWaitMs, announcedMs);
		this.#pauseOthers(now, Math.min(waitMs, announcedMs ?? OTHER_PAUSE_MS));
		this.#lastFailure = failure;
		run.rejectedAt = now;
		// Fractions of a millisecond are lost in sums of times.
		if (now > this.#giveUpAt(run, now) - 1) run.giveUp(failure);
		return waitMs;
	}

	/** Sends another request. Undefined if the signal is aborted or the deadline has passed before it may start. */
	async other<Value>(
		send: () => Promise<Result<Value>>,
		cancelled: AbortSignal,
		deadline: number,
	): Promise<Result<Value> | undefined> {
		const { clock, limiter } = this;
		const isTooLate = () => cancelled.aborted || clock.now() >= deadline;
		while (this.#othersStart > clock.now() && !isTooLate()) {
			await clock.sleepUntil(Math.min(this.#othersStart, deadline), cancelled);
		}
		if (isTooLate()) return undefined;
		const interval = Math.min(limiter.interval(clock.now()), MAX_OTHER_INTERVAL_MS);
		if (interval > 0) this.#othersStart = clock.now() + interval;
		const result = await send();
		const policy = 'failure' in result && retryPolicy(result.failure, clock.date());
		if (policy && policy.isRateLimit) {
			const waitMs = policy.waitMs ?? OTHER_PAUSE_MS * (1 - clock.random() / 2);
			limiter.pause(clock.now(), waitMs);
			this.#pauseOthers(clock.now(), waitMs);
		}
		return result;
	}

	#pauseOthers(now: number, ms: number): void {
		this.#othersStart = Math.max(this.#othersStart, now + Math.min(ms, MAX_OTHER_PAUSE_MS));
	}
}
