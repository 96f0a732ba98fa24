import type { AccountRun } from './accountRun';
import type { Schedule } from './schedule';

/** Shorter waits would be shown as 0.0 s. */
const MIN_HELD_MS = 50;

/** For the user, if the limit of the account slowed the run down. */
export function limitHint({ held }: AccountRun, { clock, limiter }: Schedule): string | undefined {
	if (held.ms < MIN_HELD_MS || limiter.limitedAt === -Infinity) return undefined;
	const now = clock.now();
	const timeOf = (time: number) =>
		`${new Date(clock.date() + time - now).toISOString().slice(11, 19)} UTC`;
	const seconds = (held.ms / 1000).toFixed(1);
	const interval = limiter.interval(now);
	const rate =
		interval > 0
			? ` The account now gets about ${Math.max(1, Math.round(60_000 / interval))} messages per minute, more from ${timeOf(Math.max(now, limiter.recoveredAt))} on, and no limit after a minute without messages.`
			: '';
	return `The gateway limited the rate (429, last at ${timeOf(limiter.limitedAt)}), so this run took about ${seconds} s longer.${rate} To stay below the limit, set 'Messages per Minute' under Options.`;
}
