import type { Explanation } from '../../../gateway/explanation';
import type { End } from '../sending/tries';

/** So many stretches of items are named one by one. */
const NAMED = 12;

/** What became of a run's messages when one of them stopped it; nothing to say where it was the only one. */
export function theOthers(ends: Array<End<unknown> | undefined>): Explanation | undefined {
	if (ends.length < 2) return undefined;
	const out = indexes(ends, (end) => end !== undefined && 'result' in end);
	const unsettled = indexes(ends, (end) => end !== undefined && 'thrown' in end && end.isUnknown);
	const wrong = indexes(ends, (end) => end !== undefined && 'thrown' in end);
	const untried = indexes(ends, (end) => end === undefined);
	return {
		message: [
			`${out.length} of ${ends.length} went out`,
			wrong.length > 1 && `${wrong.length} went wrong`,
			`${untried.length} not tried`,
		]
			.filter(Boolean)
			.join(', '),
		description: [
			out.length > 0 && `Went out: ${stretches(out)}.`,
			wrong.length > 1 && `Went wrong: ${stretches(wrong)}.`,
			unsettled.length > 0 && `Unknown: ${stretches(unsettled)}.`,
		]
			.filter(Boolean)
			.join(' '),
	};
}

function indexes<T>(list: T[], test: (entry: T) => boolean): number[] {
	return list.flatMap((entry, index) => (test(entry) ? [index] : []));
}

/** 0, 1, 2, 5 → "items 0 to 2, 5" */
function stretches(sorted: number[]): string {
	const parts: Array<{ from: number; to: number }> = [];
	for (const index of sorted) {
		const last = parts.at(-1);
		if (last && index === last.to + 1) last.to = index;
		else parts.push({ from: index, to: index });
	}
	const named = parts
		.slice(0, NAMED)
		.map(({ from, to }) => (from === to ? String(from) : `${from} to ${to}`));
	const rest = parts.length > NAMED ? ', and more' : '';
	return `${sorted.length === 1 ? 'item' : 'items'} ${named.join(', ')}${rest}`;
}
