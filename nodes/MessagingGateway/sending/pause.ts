import { sleep } from 'n8n-workflow';

export type IsOver = () => boolean;

/** n8n-workflow has no sleep that can be cut short, and nothing that is over is to linger. */
const SLICE_MS = 250;

/** `until` is by the steady clock, performance.now(): the wall clock may be set right while somebody waits. */
export async function pause(until: number, isOver: IsOver): Promise<void> {
	for (;;) {
		const left = until - performance.now();
		if (left <= 0 || isOver()) return;
		await sleep(Math.min(left, SLICE_MS));
	}
}
