/** Counts how often the things happened that a simulation is for. */
export class Coverage {
	readonly counts = new Map<string, number>();

	/** Names with a count of 0 are listed, so that one can see what never happened. */
	expect(names: readonly string[]): void {
		for (const name of names) this.counts.set(name, this.counts.get(name) ?? 0);
	}

	count(name: string): void {
		this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
	}
}
