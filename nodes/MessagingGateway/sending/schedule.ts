import type { RequestFailure, Result } from '../../../gateway/replies/failure';
import { type RetryPolicy, retryPolicy } from '../../../gateway/errors/retryPolicy';
import type { Clock } from './clock';
import { Line, woken } from './line';
import { RateLimiter, type Ticket } from './rateLimiter';
import { type PaceOptions, RunPace } from './runPace';

/** Requests that are no messages are few, and the user may be waiting for them. */
const MAX_OTHER_INTERVAL_MS = 1_000;
const MAX_OTHER_PAUSE_MS = 60_000;
/** Without Retry-After. */
const OTHER_PAUSE_MS = 500;
/** How long a run waits beyond Max Wait for the last message that tries the limit. */
const GRACE_MS = 1_500;

/** The start of a message. */
export interface Turn extends Ticket {
	run: RunPace;
	/** Since when it only had to wait for the account. */
	heldSince: number;
}

/** How a request waits in a line. */
interface Waiting {
	/** When the first in line may start. */
	nextStart: () => number;
	cancelled: AbortSignal;
	deadline?: number;
	/** Of a message. */
	run?: RunPace;
}

/**
 * Decides when requests to an account start, over all runs of this process. The runs take turns. A message that waits
 * for the rate of its own run holds no other run back, and other requests never wait behind messages.
 */
export class Schedule {
	readonly limiter: RateLimiter;
	readonly #messages = new Line();
	/** Runs with Messages per Minute share the lowest rate. */
	readonly #paced = new Line();
	readonly #others = new Line();
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

	/** Waits for the turn of a message. Undefined if it is cancelled, or the run gives up. */
	async start(run: RunPace, cancelled: AbortSignal): Promise<Turn | undefined> {
		const readyAt = this.clock.now();
		const slot = () => Math.max(readyAt, run.isPaced ? this.#nextSlot : -Infinity);
		const waiting = (nextStart: () => number) => ({ nextStart, cancelled, run });
		const forBreak = waiting(() => run.notBefore);
		const forSlot = waiting(() => run.startAt(slot()));
		const forAccount = waiting(() => this.#nextMessage());
		const start = async () => await this.#startAtLimit(slot, forAccount);
		return await this.#inTurn(run.line, forBreak, async () =>
			run.isPaced ? await this.#inTurn(this.#paced, forSlot, start) : await start(),
		);
	}

	/** Of the rates of the runs, the lowest applies. */
	get #nextSlot(): number {
		const intervals = [...this.#runs].map(({ options }) => options.intervalMs);
		return this.#lastSlot + Math.max(...intervals);
	}

	async #startAtLimit(slot: () => number, waiting: Waiting & { run: RunPace }) {
		const { clock, limiter } = this;
		const { run } = waiting;
		const heldSince = clock.now();
		run.heldSince = heldSince;
		// The first in line wakes when a run has waited too long.
		if (limiter.series(heldSince)) this.notify();
		const turn = await this.#inTurn(this.#messages, waiting, () => {
			const now = clock.now();
			const used = run.start(slot(), now);
			if (run.isPaced) this.#lastSlot = used;
			run.addHeld(heldSince, now);
			return { ...limiter.start(now), run, heldSince };
		});
		run.heldSince = Infinity;
		return turn;
	}

	/** After the response to a message. Returns how long it has to wait if it got a 429. */
	end(turn: Turn, failed?: { failure: RequestFailure; policy: RetryPolicy }): number | undefined {
		const { limiter } = this;
		const { run, heldSince } = turn;
		const now = this.clock.now();
		if (!failed?.policy.isRateLimit) {
			run.rejected.since = Infinity;
			if (failed) limiter.ignore(turn);
			else limiter.accept(turn, now);
			return undefined;
		}
		const { waitMs: announcedMs } = failed.policy;
		const waitMs = limiter.reject(turn, now, run.maxWaitMs, announcedMs);
		run.rejected = { since: Math.min(run.rejected.since, heldSince), at: now };
		this.#pauseOthers(now, Math.min(waitMs, announcedMs ?? OTHER_PAUSE_MS));
		this.#giveUp(failed.failure, now);
		return waitMs;
	}

	/** Sends another request. Undefined if the signal is aborted or the deadline has passed before its turn. */
	async other<Value>(
		send: () => Promise<Result<Value>>,
		cancelled: AbortSignal,
		deadline: number,
	): Promise<Result<Value> | undefined> {
		const { clock, limiter } = this;
		const waiting = { nextStart: () => this.#othersStart, cancelled, deadline };
		const isStarted = await this.#inTurn(this.#others, waiting, () => {
			const interval = Math.min(limiter.interval(clock.now()), MAX_OTHER_INTERVAL_MS);
			if (interval > 0) this.#othersStart = clock.now() + interval;
			return true;
		});
		if (!isStarted) return undefined;
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

	/** Does the next step of a request that is first in line, when the time has come. It stays first until then. */
	async #inTurn<Step>(
		line: Line,
		{ nextStart, cancelled, deadline = Infinity, run }: Waiting,
		step: () => Step | Promise<Step>,
	): Promise<Step | undefined> {
		const { clock } = this;
		const place = line.join();
		run?.places.add(place);
		try {
			for (;;) {
				const time = place.isFirst ? nextStart() : Infinity;
				const now = clock.now();
				if (cancelled.aborted || now >= deadline || run?.givenUp) return undefined;
				if (time <= now) return await step();
				const awake = new AbortController();
				const asleep = clock.sleepUntil(Math.min(time, deadline), cancelled, awake.signal);
				await Promise.race([asleep, woken(place)]);
				// Ends the sleep. Without a reason, Node.js makes an error with a stack each time.
				awake.abort('awake');
			}
		} finally {
			run?.places.delete(place);
			line.leave(place);
		}
	}

	/** When the first message may start; or earlier, when a run will have waited too long. */
	#nextMessage(): number {
		const now = this.clock.now();
		const series = this.limiter.series(now);
		let next = this.limiter.nextStart;
		if (next <= now || !series) return next;
		for (const run of this.#runs) {
			const since = Math.max(series.since, Math.min(run.heldSince, run.rejected.since));
			const giveUpAt = since + run.maxWaitMs + GRACE_MS;
			if (giveUpAt <= now) this.#giveUpRun(run, this.#lastFailure!);
			else next = Math.min(next, giveUpAt);
		}
		return next;
	}

	/** After a 429: ends the runs that have had one, too, and have waited too long. */
	#giveUp(failure: RequestFailure, now: number): void {
		const { since } = this.limiter.series(now)!;
		this.#lastFailure = failure;
		for (const run of this.#runs) {
			// Fractions of a millisecond are lost in sums of times.
			const isTooLong = now - since > run.maxWaitMs - 1;
			if (isTooLong && run.rejected.at >= since) this.#giveUpRun(run, failure);
		}
	}

	#giveUpRun(run: RunPace, failure: RequestFailure): void {
		if (run.givenUp) return;
		run.givenUp = failure;
		for (const place of run.places) place.wake();
	}
}
