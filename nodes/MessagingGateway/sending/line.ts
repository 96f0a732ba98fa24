export interface Place {
	isFirst: boolean;
	/** Called when it is first, and when it has to check again whether it may start. */
	wake: () => void;
	leave: () => void;
}

/** So many can be first at the same time; the others wait until one of them leaves. */
export class Line {
	readonly #places = new Set<Place>();

	constructor(private readonly size = 1) {}

	/** Whether a place would be first. */
	get isFree(): boolean {
		return this.#places.size < this.size;
	}

	join(): Place {
		const leave = () => {
			this.#places.delete(place);
			this.wakeFirst();
		};
		const place = { isFirst: this.isFree, wake: () => {}, leave };
		this.#places.add(place);
		return place;
	}

	wakeFirst(): void {
		let left = this.size;
		for (const place of this.#places) {
			if (left-- === 0) return;
			place.isFirst = true;
			place.wake();
		}
	}
}

/** A promise of its own for each wait: one that lasts longer would keep what waits for it in memory. */
export const woken = async (place: Place): Promise<void> =>
	await new Promise((resolve) => (place.wake = resolve));
