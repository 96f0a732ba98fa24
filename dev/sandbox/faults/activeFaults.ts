import { normalizeChatId } from '../account/chatId';
import type { EndpointName } from '../api/endpoints';
import { appliesTo, type Fault, parseFaults } from './fault';

interface ActiveFault {
	fault: Fault;
	timesLeft: number;
	random: () => number;
	/** Only a fault with a rate has a bucket. */
	bucket?: TokenBucket;
}

/** Keeps the active faults in order. The first fault that matches a request and has times left applies. */
export class ActiveFaults {
	#active: ActiveFault[] = [];

	/** Replaces the active faults. Throws an HttpError if a fault is invalid. */
	set(faults: unknown): void {
		this.#active = parseFaults(faults).map((fault) => ({
			fault,
			timesLeft: fault.times ?? Infinity,
			random: seededRandom(fault.seed ?? 1),
			bucket: fault.perMinute === undefined ? undefined : new TokenBucket(fault),
		}));
	}

	clear(): void {
		this.#active = [];
	}

	list(): Array<Fault & { timesLeft?: number }> {
		return this.#active.map(({ fault, timesLeft }) => ({
			...fault,
			...(fault.times !== undefined && { timesLeft }),
		}));
	}

	/** Returns whether `take` needs the chat of the request, for which the body must be read first. */
	needsChatId(endpoint: EndpointName): boolean {
		return this.#active.some(
			({ fault, timesLeft }) =>
				timesLeft > 0 && fault.chatId !== undefined && appliesTo(fault, endpoint),
		);
	}

	take(endpoint: EndpointName, chatId: string | undefined): Fault | undefined {
		const match = this.#active.find(({ fault, timesLeft, random, bucket }) => {
			if (timesLeft === 0) return false;
			if (!appliesTo(fault, endpoint)) return false;
			if (fault.chatId !== undefined && !isSameChat(fault.chatId, chatId)) return false;
			if (fault.probability !== undefined && random() >= fault.probability) return false;
			return !bucket?.take();
		});
		if (!match) return undefined;
		match.timesLeft -= 1;
		return match.fault;
	}

	/** Restores a fault that could not apply to its request. */
	giveBack(taken: Fault): void {
		const match = this.#active.find(({ fault }) => fault === taken);
		if (match) match.timesLeft += 1;
	}
}

class TokenBucket {
	#tokens: number;
	#filledAt = Date.now();
	readonly #size: number;
	readonly #perMs: number;

	constructor({ perMinute = 0, burst = Math.max(1, Math.floor(perMinute)) }: Fault) {
		this.#size = burst;
		this.#tokens = burst;
		this.#perMs = perMinute / 60_000;
	}

	/** Takes a token. Returns false if there is none. */
	take(): boolean {
		const now = Date.now();
		this.#tokens = Math.min(this.#size, this.#tokens + (now - this.#filledAt) * this.#perMs);
		this.#filledAt = now;
		if (this.#tokens < 1) return false;
		this.#tokens -= 1;
		return true;
	}
}

function isSameChat(a: string, b = ''): boolean {
	return normalizeChatId(a) === normalizeChatId(b);
}

/** Returns a Mulberry32 generator, whose output is the same on every machine. */
function seededRandom(seed: number): () => number {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}
