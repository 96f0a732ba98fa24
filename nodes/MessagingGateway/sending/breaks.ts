import type { Clock } from './clock';

/** n8n serves its editor and other executions from the same process. */
const MAX_BLOCKING_MS = 50;

/** Lets the rest of the process run while a long loop works. */
export class Breaks {
	#since: number;

	constructor(
		private readonly clock: Clock,
		private readonly signal: AbortSignal,
	) {
		this.#since = clock.now();
	}

	get isDue(): boolean {
		return this.clock.now() - this.#since >= MAX_BLOCKING_MS;
	}

	async take(): Promise<void> {
		await this.clock.sleepUntil(this.clock.now() + 1, this.signal);
		this.restart();
	}

	/** Call it after another wait. */
	restart(): void {
		this.#since = this.clock.now();
	}
}
