/** What a series adds to the page of results. */
export interface Section {
	targets: Target[];
	markdown: string;
	chart?: string;
}

type Target = [name: string, atMost: string, measured: string, result: string];

interface Result {
	/** NaN if it was not measured. */
	measured: number;
	atMost: number;
	unit: '×' | 'MB' | 'ms' | '';
	/** Why it is missed, if it is. */
	reason?: string;
}

export function target(name: string, { measured, atMost, unit, reason }: Result): Target {
	const limit = `${atMost} ${unit}`;
	if (Number.isNaN(measured)) return [name, limit, '', 'not measured'];
	const result =
		measured <= atMost ? 'met' : `**missed**: ${reason ?? 'the reason is not known yet'}`;
	return [name, limit, `${measured.toFixed(unit === '×' ? 2 : 0)} ${unit}`, result];
}

export function table(head: string[], rows: string[][]): string {
	const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
	return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

export function median(numbers: number[]): number {
	const sorted = [...numbers].sort((a, b) => a - b);
	const middle = sorted.length >> 1;
	return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** The median of the ratios per round: the two results of one round ran under the same conditions. */
export function medianRatio(numerators: number[], denominators: number[]): number {
	return median(numerators.map((numerator, round) => numerator / denominators[round]!));
}

export const integer = (number: number) => Math.round(number).toLocaleString('en-US');
