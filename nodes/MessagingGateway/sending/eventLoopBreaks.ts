import type { Clock } from './clock';

/** n8n serves its editor and other executions from the same process. */
const MAX_BLOCKING_MS = 50;

/** Lets the rest of the process run while a long loop works. */
export class EventLoopBreaks {
	#next: number;

	constructor(
		private readonly clock: Clock,
		private readonly signal: AbortSignal,
	) {
		this.#next = clock.now() + MAX_BLOCKING_MS;
	}

	async ifDue(): Promise<void> {
		if (this.clock.now() < this.#next) return;
		await this.clock.sleepUntil(this.clock.now() + 1, this.signal);
		this.#next = this.clock.now() + MAX_BLOCKING_MS;
	}
}
