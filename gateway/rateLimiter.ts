import { RecentTimes } from './recentTimes';

/** Most limits of gateways are per minute. */
const MINUTE_MS = 60_000;
/** Slightly slower than the estimate, because requests do not arrive exactly as evenly as they are sent. */
const MARGIN = 1.05;
/** With fewer accepted requests, their number says nothing about the limit. */
const MIN_COUNT = 5;
/** With fewer responses, neither does their share. */
const MIN_RESPONSES = 10;
const MAX_GUESS_MS = 500;
/** Without Retry-After. */
const MAX_ESTIMATE_MS = 5_000;
/** How long an interval that works is kept, in intervals, until a shorter one is tried. */
const KEPT_INTERVALS = 60;
/** Factors of the interval. The first one applies until a shorter interval gets a 429. */
const RAMP = 0.5;
const SPEED_UP = 0.9;
const SLOW_DOWN = 1.1;
const MIN_STEP_MS = 1_000;
/** With a shorter interval, there is no limit. */
const MIN_INTERVAL_MS = 5;
/** Requests that are no messages are few, and the user may be waiting for them. */
const MAX_OTHER_INTERVAL_MS = 1_000;
const MAX_OTHER_PAUSE_MS = MINUTE_MS;
/** While all messages get a 429, the next one waits for the response of the last one, but no longer than this. */
const MAX_BLOCK_MS = 5_000;
/** Messages that got a 429 for this time show a limit that lasts, such as one per day. */
const LASTING_MS = 5_000;
/** A 429 that comes later than this after the last wait has another reason. */
const FORGET_SHORT_MS = MINUTE_MS;
const FORGET_LASTING_MS = 10 * MINUTE_MS;

export interface Ticket {
	/** Identifies the 429 after which the request started. */
	readonly generation: number;
	readonly isMessage: boolean;
	/** Whether the request had to wait for the limit. */
	readonly wasHeld: boolean;
	readonly step: Step;
}

/** The time in which requests start at the same interval. */
interface Step {
	/** Between two starts; 0 without a limit. */
	interval: number;
	/** How many messages that started in it got a response, and how many of these were not a 429. */
	responses: number;
	accepted: number;
}

/** A 429 (`limited`), a success (`delivered`), or any other response, which shows that the rate was accepted. */
export type RateResponse = { kind: 'delivered' | 'other' } | ({ kind: 'limited' } & Wait);

/** The wait after a 429. */
interface Wait {
	waitMs: number;
	/** Whether the gateway announced it. */
	isAnnounced: boolean;
}

/** A 429. */
interface Limited extends Wait {
	at: number;
}

/**
 * Learns the rate limit of an account from its 429 responses, and says when the next request may start. `now` is a
 * steady clock in milliseconds.
 *
 * After a 429 nothing starts for the announced time. Then requests start at even intervals, at the rate that was
 * accepted: within the announced time or, if none was announced, within the last minute. An interval that works for a
 * while is made shorter; if that is too fast, it is undone. (AWS SDK's adaptive mode starts from the rate of the last
 * half second instead, which is a burst if the limit is a token bucket, and takes many 429s to come down.)
 */
export class RateLimiter {
	/** For messages, and for other requests. */
	#pausedUntil = -Infinity;
	#othersPausedUntil = -Infinity;
	#generation = 0;
	/** Of the messages, and of the other requests. */
	#lastMessage = -Infinity;
	#lastOther = -Infinity;
	readonly #acceptedAt = new RecentTimes();

	#step: Step = newStep(0);
	/** The interval before it was made shorter; 0 if it is the first estimate. */
	#longer = 0;
	#isGuess = false;
	#isRamp = true;
	#keptUntil = -Infinity;
	/** The last 429, until a request starts after it. */
	#lastLimited?: Limited;
	/** Since the last 429. */
	#hasDeliveredSince = false;
	#hasAcceptedOther = false;

	#deliveredAt = -Infinity;
	#delivered = 0;
	/** Since when all messages have got a 429; Infinity if the last one was delivered. */
	#limitedSince = Infinity;
	/** Of the last message that got a 429, and the end of the announced wait. */
	#lastLimitedAt = -Infinity;
	#limitedUntil = -Infinity;
	/** The message that shows whether messages are accepted again. */
	#probe?: { ticket: Ticket; startedAt: number };

	get #interval(): number {
		return this.#step.interval;
	}

	set #interval(interval: number) {
		if (interval !== this.#step.interval) this.#step = newStep(interval);
	}

	/** The end of the last pause. */
	pausedUntil(isMessage: boolean): number {
		return isMessage ? this.#pausedUntil : this.#othersPausedUntil;
	}

	/** How many messages were delivered. */
	get delivered(): number {
		return this.#delivered;
	}

	/** Whether a message was delivered not long ago. */
	deliveredWithin(ms: number, now: number): boolean {
		return now - this.#deliveredAt <= ms;
	}

	/** For how long all messages have got a 429; 0 if the last one was delivered. */
	limitedFor(now: number): number {
		return Math.max(0, now - this.#limitedSince);
	}

	isLimiting(now: number): boolean {
		return this.nextStart(now, false) > now || this.#interval > 0;
	}

	/** The earliest time, which changes with each start and each response. */
	nextStart(now: number, isMessage: boolean): number {
		// By now, the gateway has forgotten the last burst, and it may accept another one.
		const last = Math.max(this.#lastMessage, this.#lastOther, this.#pausedUntil);
		if (now - last > MINUTE_MS) this.#interval = 0;
		const afterLast = isMessage
			? this.#lastMessage + this.#interval
			: this.#lastOther + Math.min(this.#interval, MAX_OTHER_INTERVAL_MS);
		const afterProbe = isMessage && this.#probe ? this.#probe.startedAt + MAX_BLOCK_MS : -Infinity;
		const afterInterval = this.#interval === 0 ? -Infinity : afterLast;
		return Math.max(this.pausedUntil(isMessage), afterInterval, afterProbe);
	}

	/** `readySince`: since when only the limit has held the request back. */
	start(now: number, isMessage: boolean, readySince: number): Ticket {
		const wasHeld = this.nextStart(now, isMessage) > readySince;
		const ticket = { generation: this.#generation, isMessage, wasHeld, step: this.#step };
		if (isMessage) this.#lastMessage = now;
		else this.#lastOther = now;
		this.#lastLimited = undefined;
		if (isMessage && this.#limitedSince < Infinity) this.#probe = { ticket, startedAt: now };
		return ticket;
	}

	/**
	 * For every started request; without a response if nobody knows whether the gateway received it. Returns whether
	 * it is news: a request that was on its way at the last 429 gets one for the same reason.
	 */
	finish(ticket: Ticket, now: number, response?: RateResponse): boolean {
		const isNews = ticket.generation === this.#generation;
		if (this.#probe?.ticket === ticket) this.#probe = undefined;
		if (response && ticket.isMessage) {
			ticket.step.responses += 1;
			if (response.kind !== 'limited') ticket.step.accepted += 1;
		}
		if (response?.kind === 'limited') this.#limit(ticket, { ...response, at: now });
		else if (response) this.#accept(ticket, now, response.kind === 'delivered');
		return isNews;
	}

	#accept(ticket: Ticket, now: number, isDelivered: boolean): void {
		this.#acceptedAt.add(now);
		if (ticket.isMessage && isDelivered) {
			this.#delivered += 1;
			this.#deliveredAt = now;
			this.#limitedSince = Infinity;
			this.#probe = undefined;
		}
		if (ticket.generation !== this.#generation) {
			// It was accepted before the 429, so it belongs to the rate that the estimate is about.
			if (this.#lastLimited && this.#interval !== 0 && this.#longer === 0)
				this.#estimate(this.#lastLimited);
			return;
		}
		// If only other requests are accepted, messages get a 429 for another reason than the rate.
		if (!ticket.isMessage) this.#hasAcceptedOther = true;
		else if (isDelivered) this.#hasDeliveredSince = true;
		// Only a request that had to wait for this interval shows that the interval works.
		const isHeld = ticket.wasHeld && ticket.step === this.#step;
		if (isHeld && now >= this.#keptUntil) this.#speedUp(now);
	}

	#speedUp(now: number): void {
		this.#longer = this.#interval;
		this.#interval *= this.#isRamp ? RAMP : SPEED_UP;
		if (this.#interval < MIN_INTERVAL_MS) this.#interval = 0;
		this.#keptUntil = now + Math.max(this.#interval, this.#isGuess ? 0 : MIN_STEP_MS);
	}

	#limit(ticket: Ticket, limited: Limited): void {
		const { at, waitMs } = limited;
		this.#pausedUntil = Math.max(this.#pausedUntil, at + waitMs);
		const otherMs = Math.min(waitMs, MAX_OTHER_PAUSE_MS);
		this.#othersPausedUntil = Math.max(this.#othersPausedUntil, at + otherMs);
		if (ticket.isMessage) this.#limitMessages(limited);
		if (ticket.generation === this.#generation) {
			this.#generation += 1;
			this.#lastMessage = this.#lastOther = at;
			this.#lastLimited = limited;
			this.#slowDown(
				limited,
				this.#hasDeliveredSince || (this.#hasAcceptedOther && !ticket.isMessage),
			);
			this.#hasDeliveredSince = this.#hasAcceptedOther = false;
		}
		this.#slowDownToAccepted(ticket.step, at);
	}

	#limitMessages({ at, waitMs, isAnnounced }: Limited): void {
		const isLasting = this.#lastLimitedAt - this.#limitedSince >= LASTING_MS;
		const forgetMs = isLasting ? FORGET_LASTING_MS : FORGET_SHORT_MS;
		if (at - this.#limitedUntil > forgetMs) this.#limitedSince = at;
		this.#limitedSince = Math.min(this.#limitedSince, at);
		this.#lastLimitedAt = at;
		this.#limitedUntil = Math.max(this.#limitedUntil, at + (isAnnounced ? waitMs : 0));
	}

	/**
	 * Of requests at even intervals, the gateway accepts as many as its limit allows. If it accepts more than half, the
	 * others may have arrived unevenly.
	 */
	#slowDownToAccepted({ interval, responses, accepted }: Step, now: number): void {
		if (responses < MIN_RESPONSES || accepted === 0 || accepted > responses / 2) return;
		const allowed = Math.min((interval * responses) / accepted, MAX_ESTIMATE_MS);
		if (allowed <= this.#interval) return;
		this.#interval = this.#longer = allowed;
		this.#isRamp = this.#isGuess = false;
		this.#keep(now);
	}

	#slowDown(limited: Limited, hasAccepted: boolean): void {
		if (this.#interval === 0) {
			this.#longer = 0;
			this.#isRamp = true;
			this.#estimate(limited);
			return;
		}
		if (this.#isGuess && !hasAccepted) {
			if (!limited.isAnnounced) this.#interval = Math.min(2 * this.#interval, MAX_ESTIMATE_MS);
			return;
		}
		if (this.#longer > this.#interval) {
			this.#interval = this.#longer;
			this.#isRamp = false;
		} else if (hasAccepted) {
			const announced = limited.isAnnounced ? this.#acceptedInterval(limited) : 0;
			this.#interval = Math.max(this.#interval * SLOW_DOWN, announced);
			this.#isRamp = false;
		}
		this.#longer = this.#interval;
		this.#isGuess = false;
		this.#keep(limited.at);
	}

	#estimate({ at, waitMs, isAnnounced }: Limited): void {
		const withinMs = isAnnounced ? waitMs : MINUTE_MS;
		this.#isGuess = this.#acceptedAt.countSince(at - withinMs) < MIN_COUNT;
		const interval = this.#isGuess
			? Math.min(waitMs, MAX_GUESS_MS)
			: this.#acceptedInterval({ at, waitMs: withinMs });
		const limit = isAnnounced ? Infinity : MAX_ESTIMATE_MS;
		this.#interval = Math.min(Math.max(MIN_INTERVAL_MS, interval), limit);
		if (!this.#isGuess) this.#keep(at);
	}

	/** The interval at which requests were accepted in the time before a 429. */
	#acceptedInterval({ at, waitMs }: Pick<Limited, 'at' | 'waitMs'>): number {
		return (MARGIN * waitMs) / Math.max(1, this.#acceptedAt.countSince(at - waitMs));
	}

	#keep(now: number): void {
		this.#keptUntil = now + Math.min(MARGIN * MINUTE_MS, KEPT_INTERVALS * this.#interval);
	}
}

const newStep = (interval: number): Step => ({ interval, responses: 0, accepted: 0 });
