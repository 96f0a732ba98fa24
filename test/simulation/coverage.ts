/** Counts how often the things happened that a simulation is for. */
export class Coverage {
	readonly counts = new Map<string, number>();

	count(name: string): void {
		this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
	}
}
