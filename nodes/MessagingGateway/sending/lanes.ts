import { sleep } from 'n8n-workflow';

import type { IsOver } from './pause';

interface Run {
	count: number;
	/** How many at once. */
	concurrency: number;
	/** Asked once per index, in order; undefined where there is nothing to be done. */
	laneOf: (index: number) => string | undefined;
	perform: (index: number) => Promise<void>;
	/** Nothing more is to be read; what was read is still performed. */
	isOver: IsOver;
}

/** So many wait behind busy lanes at the most: what is read ahead is held in memory. */
const READ_AHEAD = 10_000;

/** Reading is work: this long at a stretch, then others in the process have their turn. */
const STRETCH_MS = 50;

/** Indexes of one lane are performed one after the other, in order; different lanes side by side. */
export async function inLanes({ count, concurrency, laneOf, perform, isOver }: Run): Promise<void> {
	/** The busy lanes, each with those who wait behind. */
	const lanes = new Map<string, number[]>();
	const ready: Array<{ index: number; lane: string }> = [];
	let next = 0;
	let waiting = 0;
	let running = 0;
	let finished = 0;
	let wake = () => {};
	let broken: { thrown: unknown } | undefined;

	async function take() {
		let since = performance.now();
		for (;;) {
			const due = ready.shift();
			if (due) return due;
			if (next >= count || waiting >= READ_AHEAD || isOver() || broken) return undefined;
			const index = next++;
			const lane = laneOf(index);
			if (lane !== undefined) line(index, lane);
			if (performance.now() - since > STRETCH_MS) {
				await sleep(0);
				since = performance.now();
			}
		}
	}

	function line(index: number, lane: string) {
		const queue = lanes.get(lane);
		if (queue) {
			queue.push(index);
			waiting += 1;
		} else {
			lanes.set(lane, []);
			ready.push({ index, lane });
		}
	}

	function release(lane: string) {
		const index = lanes.get(lane)?.shift();
		if (index === undefined) {
			lanes.delete(lane);
		} else {
			waiting -= 1;
			ready.push({ index, lane });
		}
	}

	async function start(index: number, lane: string) {
		running += 1;
		await perform(index).catch((thrown: unknown) => {
			broken ??= { thrown };
		});
		running -= 1;
		release(lane);
		finished += 1;
		wake();
	}

	for (;;) {
		const seen = finished;
		while (running < concurrency) {
			const due = await take();
			if (!due) break;
			void start(due.index, due.lane);
		}
		if (running === 0 && finished === seen) break;
		if (finished === seen) await new Promise<void>((resolve) => (wake = resolve));
	}
	// Only what `perform` was not meant to throw gets here.
	if (broken) throw broken.thrown;
}
