import type { VirtualClock } from '../harness/virtualClock';
import { refused, type Reply, response, success, TIMED_OUT } from './gateway';

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
	/** The keys of the messages. */
	readonly delivered = new Set<string>();
	requests = 0;
	/** When each request arrived, by its key. */
	readonly arrivals = new Map<string, number[]>();
	readonly #accepted: number[] = [];
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
		const { clock } = this;
		const { perMinute, isOffline, retryAfterS, oneAtATime, secondsPerMessage } = this.spec;
		const now = clock.now();
		this.requests += 1;
		this.arrivals.set(key, [...(this.arrivals.get(key) ?? []), now]);
		const oldest = this.#accepted.at(-perMinute) ?? -Infinity;
		const waitMs = oldest + MINUTE_MS - now;
		if (isOffline || waitMs > 0) {
			await clock.sleepUntil(now + REJECTION_MS);
			if (!isOffline) return refused('rate_limit_exceeded', retryAfterS ?? waitMs / 1_000);
			return { meaning: 'later', response: response(409, { error: 'session_not_online' }) };
		}
		this.#accepted.push(now);
		const startsAt = oneAtATime ? Math.max(now, this.#freeAt) : now;
		const endsAt = startsAt + secondsPerMessage * 1_000;
		this.#freeAt = endsAt;
		clock.at(endsAt, () => this.delivered.add(key));
		const respondsAt = Math.min(endsAt, now + timeoutMs);
		await clock.sleepUntil(respondsAt);
		return respondsAt < endsAt ? TIMED_OUT : success(200, { success: true });
	}
}
