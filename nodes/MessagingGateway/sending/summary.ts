import type { ErrorText, Result } from '../../../gateway/responses/failure';
import type { RunQueue, Scheduler } from './scheduler';

const MAX_RANGES = 12;

/** Returns the results of a stopped run for its error message. Returns undefined for a single message, whose error says all. */
export function summaryText(
	results: Map<number, Result<unknown>>,
	count: number,
	done = 'Sent',
): ErrorText | undefined {
	if (count < 2) return undefined;
	const sorted = [...results].sort(([a], [b]) => a - b);
	const where = (test: (result: Result<unknown>) => unknown) =>
		sorted.filter(([, result]) => test(result)).map(([index]) => index);
	const sent = where((result) => 'value' in result);
	const failed = where((result) => 'failure' in result && result.attempts !== 0);
	const partly = where((result) => 'failure' in result && result.parts?.sent);
	const uncertain = where((result) => 'failure' in result && result.isUncertain);
	const message = [
		`${sent.length} of ${count} ${done.toLowerCase()}`,
		failed.length > 1 && `${failed.length} failed`,
		`${count - sent.length - failed.length} not attempted`,
	];
	const description = [
		sent.length > 0 && `${done}: ${ranges(sent)}.`,
		failed.length > 1 && `Failed: ${ranges(failed)}.`,
		partly.length > 0 && `Partly sent: ${ranges(partly)}.`,
		uncertain.length > 0 && `Unknown: ${ranges(uncertain)}.`,
	];
	return {
		message: message.filter(Boolean).join(', '),
		description: description.filter(Boolean).join(' '),
	};
}

/** Returns the indexes as ranges, for example "items 0 to 2, 5" for 0, 1, 2 and 5. */
function ranges(sorted: number[]): string {
	const all: Array<{ from: number; to: number }> = [];
	for (const index of sorted) {
		const last = all.at(-1);
		if (last && index === last.to + 1) last.to = index;
		else all.push({ from: index, to: index });
	}
	const listed = all
		.slice(0, MAX_RANGES)
		.map(({ from, to }) => (from === to ? String(from) : `${from} to ${to}`));
	const more = all.length > MAX_RANGES ? ', and more' : '';
	return `${sorted.length === 1 ? 'item' : 'items'} ${listed.join(', ')}${more}`;
}

/** Returns a hint for the user if the account's limit slowed the run down. */
export function limitHint({ clock, limiter }: Scheduler, { limitWait }: RunQueue) {
	// A shorter wait would appear as 0.0 s.
	if (limitWait.ms < 50 || limiter.lastCounted429At === -Infinity) return undefined;
	const last = new Date(clock.date() + limiter.lastCounted429At - clock.now());
	const seconds = (limitWait.ms / 1000).toFixed(1);
	return `The gateway limited the rate (429, last at ${last.toISOString().slice(11, 19)} UTC), so this run took about ${seconds} s longer. To stay below the limit, add the option 'Pace'.`;
}

/** Returns a hint for the user if the account's pace slowed the run down, or if a random part hides how fast it is. */
export function paceHint({ heldBy, options: { intervalMs, randomPart } }: RunQueue) {
	if (heldBy) {
		const { perMinute, processes, perProcess } = heldBy;
		const over = processes > 1 ? ` over ${processes} n8n processes` : '';
		return `The credential allows ${perMinute} messages per minute${over}, so this run sends at most ${perProcess} per minute.`;
	}
	if (intervalMs * randomPart === 0) return undefined;
	const rounded = (value: number) => Number(value.toPrecision(2));
	const average = rounded(60_000 / (intervalMs * (1 + randomPart / 2)));
	const longest = rounded((intervalMs * (1 + randomPart)) / 1_000);
	return `'Pace' is about ${average} messages per minute on average, and at most ${longest} s between two.`;
}

export const redirectionHint = (messages: number) =>
	messages > 0 &&
	`Messages redirected to the test number: ${messages}. Their recipients got nothing, because 'Send Messages To' of the credential is One Test Number.`;
