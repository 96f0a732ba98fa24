import { type IsOver, pause } from './pause';

/** How soon to look again whether somebody else's answer has come. */
const LOOK_AGAIN_MS = 25;
/** Nobody waits longer than this for an answer that does not come. */
const LONGEST_LOOK_MS = 5_000;

/** So many answers that are no refusal of the pace, and one more may be on its way at once. */
const GOOD_ANSWERS = 5;
/** So long without a refusal, and it is as if there had been none. */
const FORGOTTEN_AFTER_MS = 60_000;

/** Who may send, and since which refusal of the pace. */
export type Ticket = number;

/**
 * What executions of this process share about one account, for its gateway counts them together. After
 * a refusal of the pace nobody sends for a while, then one at a time, then gradually more: all at
 * once would only be refused again, and use up everybody's tries.
 */
export class Brake {
	#heldUntil = -Infinity;
	#holds = 0;
	/** Good answers since the last refusal; Infinity where there was none. */
	#good = Infinity;
	/** Those who started after the last refusal; the older ones are nobody's concern any more. */
	#inFlight = 0;
	#lastStart = -Infinity;

	get isHeld(): boolean {
		return performance.now() < this.#heldUntil;
	}

	/** Resolves when another one may start; undefined where it is over before that. */
	async enter(isOver: IsOver): Promise<Ticket | undefined> {
		while (!this.#isFree() && !isOver()) {
			await pause(Math.max(this.#heldUntil, performance.now() + LOOK_AGAIN_MS), isOver);
		}
		if (isOver()) return undefined;
		this.#inFlight += 1;
		this.#lastStart = performance.now();
		return this.#holds;
	}

	leave(ticket: Ticket, holdMs?: number): void {
		const isOlder = ticket !== this.#holds;
		if (!isOlder) this.#inFlight -= 1;
		if (holdMs !== undefined) this.#hold(performance.now() + holdMs, isOlder);
		else if (!isOlder) this.#good += 1;
	}

	#hold(until: number, isOlder: boolean): void {
		this.#heldUntil = Math.max(this.#heldUntil, until);
		// What was on its way already is refused for the same reason: that is no news.
		if (isOlder) return;
		this.#holds += 1;
		this.#good = 0;
		this.#inFlight = 0;
	}

	#isFree(): boolean {
		const now = performance.now();
		if (now - this.#heldUntil > FORGOTTEN_AFTER_MS) this.#good = Infinity;
		const atOnce = 1 + Math.floor(this.#good / GOOD_ANSWERS);
		return !this.isHeld && (this.#inFlight < atOnce || now - this.#lastStart > LONGEST_LOOK_MS);
	}
}

const brakes = new Map<string, Brake>();

export function brakeOf(account: string): Brake {
	const brake = brakes.get(account) ?? new Brake();
	brakes.set(account, brake);
	return brake;
}
