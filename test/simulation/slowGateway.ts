import type { VirtualClock } from '../harness/virtualClock';
import type { Reply } from './gateway';

export interface GatewaySpec {
	perMinute: number;
	/** How long it takes to process a message. */
	secondsPerMessage: number;
	/** Otherwise it processes all messages at the same time. */
	oneAtATime: boolean;
	/** What a 429 says: this many seconds. Otherwise, how long it really takes. */
	retryAfterS?: number;
	/** It rejects all messages. */
	isOffline?: boolean;
}

const MINUTE_MS = 60_000;
const REJECTION_MS = 50;

/** Accepts `perMinute` messages in each minute. A copy of a message, by its key, is dropped, but uses up the limit. */
export class SlowGateway {
	/** By key: when the message was delivered. */
	readonly delivered = new Map<string, number>();
	readonly accepted: number[] = [];
	requests = 0;
	#freeAt = 0;

	constructor(
		readonly spec: GatewaySpec,
		private readonly clock: VirtualClock,
	) {}

	/** The shortest time in which so many messages can be delivered. */
	shortestMs(messages: number): number {
		const { perMinute, secondsPerMessage, oneAtATime } = this.spec;
		const limitMs = (messages * MINUTE_MS) / perMinute;
		return Math.max(limitMs, oneAtATime ? messages * secondsPerMessage * 1_000 : 0);
	}

	async send(key: string, timeoutMs: number): Promise<Reply> {
		const { clock, spec } = this;
		const now = clock.now();
		this.requests += 1;
		if (spec.isOffline) {
			await clock.sleepUntil(now + REJECTION_MS);
			const data = { error: 'session_not_online' };
			return { meaning: 'refused', response: { status: 409, headers: {}, data } };
		}
		const waitMs = this.#waitMs(now);
		if (waitMs > 0) {
			await clock.sleepUntil(now + REJECTION_MS);
			const seconds = spec.retryAfterS ?? waitMs / 1_000;
			const headers = { 'retry-after': String(seconds) };
			const data = { error: 'rate_limit_exceeded' };
			return { meaning: 'refused', response: { status: 429, headers, data } };
		}
		this.accepted.push(now);
		const startsAt = spec.oneAtATime ? Math.max(now, this.#freeAt) : now;
		const endsAt = startsAt + spec.secondsPerMessage * 1_000;
		this.#freeAt = endsAt;
		clock.at(endsAt, () => {
			if (!this.delivered.has(key)) this.delivered.set(key, endsAt);
		});
		const respondsAt = Math.min(endsAt, now + timeoutMs);
		await clock.sleepUntil(respondsAt);
		if (respondsAt < endsAt)
			return { meaning: 'unknown', error: { code: 'ETIMEDOUT', isConnecting: false } };
		return { meaning: 'success', response: { status: 200, headers: {}, data: { success: true } } };
	}

	#waitMs(now: number): number {
		const { accepted } = this;
		const oldest = accepted.at(-this.spec.perMinute);
		return oldest === undefined ? 0 : oldest + MINUTE_MS - now;
	}
}
