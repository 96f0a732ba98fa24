import { type IsOver, pause } from './pause';

/** How soon to look again whether somebody else's answer has come. */
const LOOK_AGAIN_MS = 25;

/** With every answer that is no refusal of the pace, a fifth of a message more at once. */
const EASE = 0.2;
const RELEASED_AT = 100;

/**
 * What executions of this process share about one account, for its gateway counts them together. After
 * a refusal of the pace nobody sends for a while, then one at a time, then gradually more: all at
 * once would only be refused again, and use up everybody's tries.
 */
export class Brake {
	#heldUntil = 0;
	#atOnce = Infinity;
	#inFlight = 0;

	/** Resolves when another one may start; `enter` then has to be asked, for others may have been faster. */
	async released(isOver: IsOver): Promise<void> {
		while (!this.#isFree() && !isOver()) {
			await pause(Math.max(this.#heldUntil, Date.now() + LOOK_AGAIN_MS), isOver);
		}
	}

	enter(): boolean {
		if (!this.#isFree()) return false;
		this.#inFlight += 1;
		return true;
	}

	leave(holdMs: number | undefined): void {
		this.#inFlight -= 1;
		if (holdMs !== undefined) {
			this.#heldUntil = Math.max(this.#heldUntil, Date.now() + holdMs);
			this.#atOnce = 1;
		} else if (this.#atOnce < RELEASED_AT) {
			this.#atOnce += EASE;
		} else {
			this.#atOnce = Infinity;
		}
	}

	#isFree(): boolean {
		return Date.now() >= this.#heldUntil && this.#inFlight < Math.floor(this.#atOnce);
	}
}

const brakes = new Map<string, Brake>();

export function brakeOf(account: string): Brake {
	const brake = brakes.get(account) ?? new Brake();
	brakes.set(account, brake);
	return brake;
}
