import type { RequestFailure } from '../../../gateway/replies/failure';
import type { Permit } from './rateLimiter';

export interface RateOptions {
	/** Time between two starts; 0 for no limit. */
	intervalMs: number;
	/** Each interval is a random one up to this. */
	maxIntervalMs?: number;
	/** The maximum random delay of a start, as a share of the interval: 0 to 1. */
	jitter: number;
	/** A longer break after this many starts. */
	batch?: { size: number; breakMs: number };
	/** The longest wait before a retry, and the longest time without an accepted message while the account is limited. */
	maxWaitMs: number;
}

interface WaitingMessage {
	since: number;
	cancelled: AbortSignal;
	/** Without a permit, it must not start. */
	resolve: (permit?: Permit) => void;
}

/** What the schedule of an account knows of a run: the messages that wait for their turn, and whether it has given up. */
export class AccountRun {
	/** Those that wait for their turn, in this order. */
	waiting: WaitingMessage[] = [];
	last429At = -Infinity;
	/** How long the limit of the account held messages back; those that wait at the same time, once. */
	limitWait = { ms: 0, until: -Infinity };
	/** The end of the break between two batches. */
	notBefore = -Infinity;
	#started = 0;
	readonly #end = new AbortController();

	constructor(readonly options: RateOptions) {}

	/** Aborted when it gives up. */
	get gaveUp(): AbortSignal {
		return this.#end.signal;
	}

	/** Why it sends nothing more to the account. */
	get whyGivenUp(): RequestFailure | undefined {
		return this.gaveUp.reason as RequestFailure | undefined;
	}

	/** Whether it has a rate of its own. */
	get isPaced(): boolean {
		return this.intervalMs(1) > 0;
	}

	/** Between two starts; `chance` is a random number from 0 to 1. */
	intervalMs(chance: number): number {
		const { intervalMs, maxIntervalMs = intervalMs } = this.options;
		return intervalMs + chance * (maxIntervalMs - intervalMs);
	}

	/** The message that waits first starts, for which there was a slot at that time. */
	start(permit: Permit, slot: number): void {
		const { batch } = this.options;
		this.#started += 1;
		if (batch && this.#started % batch.size === 0) this.notBefore = slot + batch.breakMs;
		this.waiting.shift()!.resolve(permit);
	}

	/** Ends the wait of the messages that must not start. */
	dropCancelled(): void {
		const { gaveUp, waiting } = this;
		const isOver = ({ cancelled }: WaitingMessage) => cancelled.aborted || gaveUp.aborted;
		if (!waiting.some(isOver)) return;
		this.waiting = waiting.filter((message) => !isOver(message));
		for (const message of waiting.filter(isOver)) message.resolve();
	}

	giveUp(failure: RequestFailure): void {
		this.#end.abort(failure);
		this.dropCancelled();
	}

	addLimitWait(from: number, until: number): void {
		this.limitWait.ms += Math.max(0, until - Math.max(from, this.limitWait.until));
		this.limitWait.until = Math.max(this.limitWait.until, until);
	}
}
