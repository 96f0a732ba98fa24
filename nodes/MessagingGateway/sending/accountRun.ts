import type { RequestFailure } from '../../../gateway/replies/failure';
import type { Permit } from './rateLimiter';

export interface RateOptions {
	/** The time between two starts. 0 means that the run has no rate. */
	intervalMs: number;
	/** If it is set, each interval is random, from `intervalMs` to this. */
	maxIntervalMs?: number;
	/** The maximum random delay of a start, as a share of the interval: 0 to 1. */
	jitter: number;
	/** After `size` starts, the next start waits for `breakMs`. */
	batch?: { size: number; breakMs: number };
	/** The longest wait before a retry. A run also gives up if a limited account accepts no message for this long. */
	maxWaitMs: number;
}

interface WaitingMessage {
	since: number;
	cancelled: AbortSignal;
	/** Called without a permit if the message must not start. */
	resolve: (permit?: Permit) => void;
}

/** A run in the scheduler of an account: its messages that wait for their turn, its rate, and whether it has given up. */
export class AccountRun {
	/** The messages in the order in which they start. */
	waiting: WaitingMessage[] = [];
	last429At = -Infinity;
	/** How long the limit of the account held messages back. Time in which several messages wait counts once. */
	limitWait = { ms: 0, until: -Infinity };
	/** The end of the current or last break between batches. */
	notBefore = -Infinity;
	#started = 0;
	readonly #end = new AbortController();

	constructor(readonly options: RateOptions) {}

	/** Aborted when the run gives up. */
	get gaveUp(): AbortSignal {
		return this.#end.signal;
	}

	/** The failure for which the run sends nothing more to the account. Undefined if it has not given up. */
	get whyGivenUp(): RequestFailure | undefined {
		return this.gaveUp.reason as RequestFailure | undefined;
	}

	/** Whether the run has its own rate, or only the account's limit applies. */
	get hasOwnRate(): boolean {
		return this.intervalMs(1) > 0;
	}

	/** Returns the time between two starts. `chance` is a random number from 0 to 1. */
	intervalMs(chance: number): number {
		const { intervalMs, maxIntervalMs = intervalMs } = this.options;
		return intervalMs + chance * (maxIntervalMs - intervalMs);
	}

	/** Starts the first waiting message. `slot` is when the rate allowed it, from which the break after a batch counts. */
	start(permit: Permit, slot: number): void {
		const { batch } = this.options;
		this.#started += 1;
		if (batch && this.#started % batch.size === 0) this.notBefore = slot + batch.breakMs;
		this.waiting.shift()!.resolve(permit);
	}

	/** Ends the wait of cancelled messages, or of all messages if the run has given up. */
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
