export interface Place {
	isFirst: boolean;
	/** Called when it is first, and when it has to check again whether it may start. */
	wake: () => void;
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
		const place = { isFirst: this.isFree, wake: () => {} };
		this.#places.add(place);
		return place;
	}

	leave(left: Place): void {
		this.#places.delete(left);
		for (const place of this.#first()) {
			if (place.isFirst) continue;
			place.isFirst = true;
			place.wake();
		}
	}

	wakeFirst(): void {
		for (const place of this.#first()) place.wake();
	}

	*#first(): Iterable<Place> {
		let left = this.size;
		for (const place of this.#places) {
			if (left-- === 0) return;
			yield place;
		}
	}
}

/** A promise of its own for each wait: one that lasts longer would keep what waits for it in memory. */
export const woken = async (place: Place): Promise<void> =>
	await new Promise((resolve) => (place.wake = resolve));
