/** More than most limits allow in a minute. */
const SIZE = 4_096;

/** The last times at which something happened. */
export class RecentTimes {
	readonly #times: number[] = [];
	#next = 0;

	add(time: number): void {
		this.#times[this.#next] = time;
		this.#next = (this.#next + 1) % SIZE;
	}

	/** How often it has happened since then; an extrapolation if that is more often than times are kept. */
	countSince(since: number): number {
		const count = this.#times.filter((time) => time > since).length;
		if (count < SIZE) return count;
		const newest = this.#times.at(this.#next - 1)!;
		const oldest = this.#times[this.#next]!;
		return (SIZE * (newest - since)) / Math.max(1, newest - oldest);
	}
}
