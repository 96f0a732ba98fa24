interface Event {
	time: number;
	run: () => void;
	/** Events at the same time run in the order in which they were added. */
	order: number;
}

/** A binary heap: the earliest event first. */
export class EventQueue {
	readonly #heap: Event[] = [];
	#added = 0;

	get size(): number {
		return this.#heap.length;
	}

	get first(): Event | undefined {
		return this.#heap[0];
	}

	add(time: number, run: () => void): void {
		const heap = this.#heap;
		const entry = { time, run, order: this.#added++ };
		let index = heap.length;
		while (index > 0) {
			const parent = (index - 1) >> 1;
			if (!isBefore(entry, heap[parent]!)) break;
			heap[index] = heap[parent]!;
			index = parent;
		}
		heap[index] = entry;
	}

	removeFirst(): Event | undefined {
		const heap = this.#heap;
		const first = heap[0];
		const last = heap.pop();
		if (last === undefined || heap.length === 0) return first;
		let index = 0;
		for (;;) {
			let child = 2 * index + 1;
			if (child >= heap.length) break;
			if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child += 1;
			if (!isBefore(heap[child]!, last)) break;
			heap[index] = heap[child]!;
			index = child;
		}
		heap[index] = last;
		return first;
	}
}

const isBefore = (a: Event, b: Event) =>
	a.time < b.time || (a.time === b.time && a.order < b.order);
