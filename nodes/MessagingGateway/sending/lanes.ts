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

/** Read in one go: one by one between answers, expressions took about twice the time in a profile of n8n. */
const BLOCK = 100;
/** And no longer than this at a stretch, for others in the process want their turn. */
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

	const hasMore = () => next < count && waiting < READ_AHEAD && !isOver() && !broken;

	async function take() {
		while (ready.length === 0 && hasMore()) {
			const since = performance.now();
			readBlock(since + STRETCH_MS);
			if (performance.now() - since > STRETCH_MS) await sleep(0);
		}
		return ready.shift();
	}

	function readBlock(until: number) {
		// At first no more than can set out: nobody is to wait for the rest.
		const block = next === 0 ? concurrency : BLOCK;
		for (let read = 0; read < block && hasMore() && performance.now() < until; read++) {
			const index = next++;
			const lane = laneOf(index);
			if (lane !== undefined) line(index, lane);
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
