export interface Place {
	/** Whether it is its turn. */
	isFirst: boolean;
	/** Resolves when it is. */
	turn: Promise<void>;
	leave: () => void;
}

/** So many can be first at the same time; the others wait until one of them leaves. */
export class Line {
	/** Each with the function that says that it is first. */
	readonly #places = new Map<Place, () => void>();

	constructor(private readonly size = 1) {}

	/** Whether a place would be first. */
	get isFree(): boolean {
		return this.#places.size < this.size;
	}

	join(): Place {
		const { promise: turn, resolve } = newEvent();
		const place: Place = {
			isFirst: false,
			turn,
			leave: () => {
				this.#places.delete(place);
				this.#callFirst();
			},
		};
		this.#places.set(place, resolve);
		this.#callFirst();
		return place;
	}

	#callFirst(): void {
		let left = this.size;
		for (const [place, call] of this.#places) {
			if (left-- === 0) return;
			place.isFirst = true;
			call();
		}
	}
}

export function newEvent(): { promise: Promise<void>; resolve: () => void } {
	let resolve = () => {};
	const promise = new Promise<void>((call) => (resolve = call));
	return { promise, resolve };
}
