import { sleep } from 'n8n-workflow';

import type { Clock } from '../sending/clock';

/** n8n's `sleep` cannot be cancelled, so the clock sleeps in slices: an aborted sleep ends after at most this time. */
const SLICE_MS = 250;

export const steadyClock: Clock = {
	now: () => performance.now(),
	date: () => Date.now(),
	random: () => Math.random(),
	async sleepUntil(time, ...signals) {
		for (;;) {
			const left = time - performance.now();
			if (left <= 0 || signals.some(({ aborted }) => aborted)) return;
			await sleep(Math.min(left, SLICE_MS));
		}
	},
};
