import type { Clock } from '../../nodes/MessagingGateway/sending/clock';

interface Event {
	time: number;
	run: () => void;
}

interface Options {
	/** Default: 0. */
	random?: () => number;
	/** How late a sleep ends. */
	timerDelayMs?: () => number;
	/** How long a sleep takes to notice that it is aborted. */
	abortDelayMs?: () => number;
	/** The difference between this wall clock and the right one. */
	clockErrorMs?: number;
}

interface Sleeper {
	signals: AbortSignal[];
	isAwake: boolean;
	/** It is aborted, and ends soon. */
	isEnding: boolean;
	resolve: () => void;
}

/** More calls than this without any other event are an endless loop, which nothing could end. */
const MAX_CALLS_PER_TURN = 1_000_000;

/**
 * A clock whose time passes only when nothing else can happen. Nothing waits in real time. Between two events there is
 * one turn of the event loop, in which every promise that is settled runs all its callbacks, however long the chain.
 */
export class VirtualClock implements Clock {
	#now = 0;
	#calls = 0;
	/** In this turn. */
	#busyMs = 0;
	/** The earliest event is the last one. Those at the same time run in the order in which they were added. */
	readonly #events: Event[] = [];
	/** By their signals, each of which has one listener from the first sleep on. */
	readonly #sleepers = new WeakMap<AbortSignal, Set<Sleeper>>();
	/** How many sleeps have neither ended nor been aborted. */
	sleeping = 0;
	/** The longest time by which anything was late because the process was busy. */
	maxLatenessMs = 0;
	/** The number of events so far: what happens in the same turn happens at the same time. */
	turn = 0;

	constructor(private readonly options: Options = {}) {}

	now = () => {
		if (++this.#calls > MAX_CALLS_PER_TURN) throw new Error('Endless loop');
		return this.#now;
	};

	/** The wall clock starts at a fixed date. */
	date = () => Date.UTC(2026, 0, 1) + this.#now + (this.options.clockErrorMs ?? 0);

	random = () => this.options.random?.() ?? 0;

	listensTo(signal: AbortSignal): boolean {
		return this.#sleepers.has(signal);
	}

	at(time: number, run: () => void): void {
		let [from, to] = [0, this.#events.length];
		while (from < to) {
			const middle = (from + to) >> 1;
			if (this.#events[middle]!.time > time) from = middle + 1;
			else to = middle;
		}
		this.#events.splice(from, 0, { time, run });
	}

	/** Lets time pass in which nothing else can happen, as while a program computes. */
	keepBusy(ms: number): void {
		this.#now += ms;
		this.#busyMs += ms;
		this.maxLatenessMs = Math.max(this.maxLatenessMs, this.#busyMs);
	}

	async sleepUntil(time: number, ...signals: AbortSignal[]): Promise<void> {
		if (time <= this.now() || signals.some(({ aborted }) => aborted)) return;
		await new Promise<void>((resolve) => {
			const sleeper = { signals, isAwake: false, isEnding: false, resolve };
			this.#add(sleeper);
			if (time === Infinity) return;
			this.at(time + (this.options.timerDelayMs?.() ?? 0), () => this.#wake(sleeper));
		});
	}

	/** Runs the events one after the other, until there are none or no more may happen. */
	async run(isOver: () => boolean): Promise<void> {
		await new Promise<void>((resolve, reject) => {
			const step = () => {
				this.#calls = 0;
				this.#busyMs = 0;
				const event = isOver() ? undefined : this.#events.pop();
				if (!event) return resolve();
				const { time, run } = event;
				this.maxLatenessMs = Math.max(this.maxLatenessMs, this.#now - time);
				this.#now = Math.max(this.#now, time);
				this.turn += 1;
				try {
					run();
				} catch (error) {
					return reject(error instanceof Error ? error : new Error(String(error)));
				}
				setImmediate(step);
			};
			setImmediate(step);
		});
	}

	#add(sleeper: Sleeper): void {
		this.sleeping += 1;
		for (const signal of sleeper.signals) {
			const others = this.#sleepers.get(signal);
			if (others) {
				others.add(sleeper);
			} else {
				this.#sleepers.set(signal, new Set([sleeper]));
				signal.addEventListener('abort', this.#onAbort);
			}
		}
	}

	readonly #onAbort = ({ target }: { target: unknown }) => {
		const { abortDelayMs } = this.options;
		for (const sleeper of this.#sleepers.get(target as AbortSignal) ?? []) {
			if (sleeper.isEnding) continue;
			sleeper.isEnding = true;
			this.sleeping -= 1;
			if (abortDelayMs) this.at(this.#now + abortDelayMs(), () => this.#wake(sleeper));
			else this.#wake(sleeper);
		}
	};

	#wake(sleeper: Sleeper): void {
		if (sleeper.isAwake) return;
		sleeper.isAwake = true;
		if (!sleeper.isEnding) this.sleeping -= 1;
		for (const signal of sleeper.signals) this.#sleepers.get(signal)!.delete(sleeper);
		sleeper.resolve();
	}
}

/** Lets everything happen that needs no time. */
export const settled = async () => await new Promise((resolve) => setImmediate(resolve));
