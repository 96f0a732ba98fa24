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

/** Returns the clock of a rehearsal: a sleep takes no time, but moves the clock forward by its length. */
export function rehearsalClock(): Clock {
	let skipped = 0;
	const now = () => steadyClock.now() + skipped;
	const sleepUntil: Clock['sleepUntil'] = async (time, ...signals) => {
		// Pending work ends first, as it would during a real sleep.
		await sleep(0);
		if (!signals.some(({ aborted }) => aborted)) skipped += Math.max(0, time - now());
	};
	return { ...steadyClock, now, sleepUntil };
}
