/** Limits how many messages are sent at the same time. The others wait for a place. */
export class Semaphore {
	readonly #waiting: Array<() => void> = [];

	constructor(private free: number) {}

	get isFree(): boolean {
		return this.free > 0;
	}

	async acquire(): Promise<void> {
		if (this.free > 0) this.free -= 1;
		else await new Promise<void>((resolve) => this.#waiting.push(resolve));
	}

	release(): void {
		const next = this.#waiting.shift();
		if (next) next();
		else this.free += 1;
	}
}
