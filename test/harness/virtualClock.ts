import type { Clock } from '../../nodes/MessagingGateway/sending/clock';

/** A clock that a test advances. Nothing waits in real time. */
export class VirtualClock implements Clock {
	#now = 0;
	readonly #sleepers = new Set<{ time: number; wake: () => void }>();

	/** Returned by `random`. */
	luck = 0;

	now = () => this.#now;

	/** The wall clock starts at a fixed date. */
	date = () => Date.UTC(2026, 0, 1) + this.#now;

	random = () => this.luck;

	async sleepUntil(time: number, ...signals: AbortSignal[]): Promise<void> {
		if (time <= this.#now || signals.some(({ aborted }) => aborted)) return;
		await new Promise<void>((resolve) => {
			const sleeper = {
				time,
				wake: () => {
					this.#sleepers.delete(sleeper);
					for (const signal of signals) signal.removeEventListener('abort', sleeper.wake);
					resolve();
				},
			};
			this.#sleepers.add(sleeper);
			for (const signal of signals) signal.addEventListener('abort', sleeper.wake);
		});
	}

	/** Runs everything that happens within this time, in order. */
	async advance(ms: number): Promise<void> {
		const end = this.#now + ms;
		for (;;) {
			await settled();
			const [next] = [...this.#sleepers].sort((a, b) => a.time - b.time);
			if (!next || next.time > end) break;
			this.#now = next.time;
			next.wake();
		}
		this.#now = end;
		await settled();
	}
}

/** Lets everything happen that needs no time. */
export const settled = async () => await new Promise((resolve) => setImmediate(resolve));
