import { sameChat } from './chat';
import type { EndpointName } from './endpoints';
import { type Fault, readFaults } from './fault';

interface Armed {
	fault: Fault;
	timesLeft: number;
	draw: () => number;
}

/** The list of faults in force: the first that fits and has tries left is the one that happens. */
export class Faults {
	#armed: Armed[] = [];

	/** Replaces the list: what is in force is always what was set last. */
	set(faults: unknown): void {
		this.#armed = readFaults(faults).map((fault) => ({
			fault,
			timesLeft: fault.times ?? Infinity,
			draw: seededDraw(fault.seed ?? 1),
		}));
	}

	clear(): void {
		this.#armed = [];
	}

	list(): Array<Fault & { timesLeft?: number }> {
		return this.#armed.map(({ fault, timesLeft }) => ({
			...fault,
			...(fault.times !== undefined && { timesLeft }),
		}));
	}

	/** The chat is asked for only when a fault wants to know: finding it means parsing the body. */
	take(endpoint: EndpointName, chatOf: () => string | undefined): Fault | undefined {
		const hit = this.#armed.find((armed) => {
			const { fault, timesLeft, draw } = armed;
			if (timesLeft === 0) return false;
			if (fault.endpoint !== undefined && fault.endpoint !== endpoint) return false;
			if (fault.chatId !== undefined && !sameChat(fault.chatId, chatOf() ?? '')) return false;
			return fault.probability === undefined || draw() < fault.probability;
		});
		if (!hit) return undefined;
		hit.timesLeft -= 1;
		return hit.fault;
	}
}

/** Mulberry32: small, good enough for luck, and the same on every machine. */
function seededDraw(seed: number): () => number {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}
