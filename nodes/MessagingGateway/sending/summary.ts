import type { ErrorText, Result } from '../../../gateway/replies/failure';

const MAX_RANGES = 12;

/** Returns the results of a stopped run for its error message. Returns undefined for a single message, whose error says all. */
export function summary(
	results: Map<number, Result<unknown>>,
	count: number,
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
		`${sent.length} of ${count} sent`,
		failed.length > 1 && `${failed.length} failed`,
		`${count - sent.length - failed.length} not attempted`,
	];
	const description = [
		sent.length > 0 && `Sent: ${ranges(sent)}.`,
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
