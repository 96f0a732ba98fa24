/** What one run of a case measured; the times are those of one item. */
export interface Sample {
	ms: number;
	/** NaN where the platform does not report it. */
	cpuMs?: number;
	megabytes?: number;
	/** Messages that arrived after a later one of their chat. */
	outOfOrder?: number;
}

export type Measure = keyof typeof MEASURES;

/** Cases to compare: each round runs all of them, one after the other. */
export interface Series {
	title: string;
	warmUps?: number;
	rounds?: number;
	cases: Array<{ name: string; run: () => Promise<Sample> }>;
	targets: Target[];
}

export interface Target {
	measure: Measure;
	of: string;
	/** Another case: the target is a ratio. */
	to?: string;
	atMost: number;
	/** Why it is missed, if it is. */
	reason?: string;
}

export type Result = Series & { samples: Map<string, Sample[]> };

const MEASURES = {
	ms: { name: 'Time per item', digits: 2, unit: 'ms' },
	cpuMs: { name: 'CPU time per item', digits: 2, unit: 'ms' },
	megabytes: { name: 'Memory', digits: 0, unit: 'MB' },
	outOfOrder: { name: 'Out of order', digits: 0, unit: '' },
};

/** Starts each round with a different case, so that other load on the machine affects them equally. */
export async function measure(series: Series, usualRounds: number): Promise<Result> {
	const { cases, warmUps = 1, rounds = usualRounds } = series;
	for (let round = 0; round < warmUps; round++) for (const { run } of cases) await run();
	const samples = new Map(cases.map(({ name }): [string, Sample[]] => [name, []]));
	for (let round = 0; round < rounds; round++) {
		for (let turn = 0; turn < cases.length; turn++) {
			const { name, run } = cases[(round + turn) % cases.length]!;
			samples.get(name)!.push(await run());
		}
	}
	return { ...series, samples };
}

export function targetTable(results: Result[]): string {
	const rows = results.flatMap((result) =>
		result.targets.map((target) => targetRow(result, target)),
	);
	return table(['Series', 'Target', 'At most', 'Measured', 'Result'], rows);
}

function targetRow({ title, samples }: Result, target: Target): string[] {
	const { measure, of, to, atMost, reason = 'the reason is not known yet' } = target;
	const measured = to ? ratioOf(samples, measure, of, to) : median(valuesOf(samples, of, measure));
	const unit = to ? '×' : MEASURES[measure].unit;
	const digits = to ? 2 : MEASURES[measure].digits;
	const name = `${MEASURES[measure].name}, ${of}${to ? ` / ${to}` : ''}`;
	const result = measured <= atMost ? 'met' : `**missed**: ${reason}`;
	const isKnown = !Number.isNaN(measured);
	return [title, name, `${atMost} ${unit}`, format(measured, digits, unit), isKnown ? result : ''];
}

/** Medians of the rounds, and for the time the fastest and the slowest one. */
export function sampleTable({ samples }: Result): string {
	const measures = (Object.keys(MEASURES) as Measure[]).filter((measure) =>
		[...samples.values()].flat().some((sample) => sample[measure] !== undefined),
	);
	const cell = (name: string, measure: Measure) => {
		const values = valuesOf(samples, name, measure);
		const { digits, unit } = MEASURES[measure];
		const middle = format(median(values), digits, unit);
		const [least, most] = [Math.min(...values), Math.max(...values)].map((n) => n.toFixed(digits));
		return middle && least !== most ? `${middle} (${least} to ${most})` : middle;
	};
	return table(
		['Case', ...measures.map((measure) => MEASURES[measure].name)],
		[...samples.keys()].map((name) => [name, ...measures.map((measure) => cell(name, measure))]),
	);
}

const valuesOf = (samples: Result['samples'], name: string, measure: Measure) =>
	samples.get(name)!.map((sample) => sample[measure] ?? NaN);

/** The median of the ratios per round: the two results of one round ran under the same conditions. */
export function ratioOf(samples: Result['samples'], measure: Measure, of: string, to: string) {
	const denominators = valuesOf(samples, to, measure);
	return median(valuesOf(samples, of, measure).map((value, round) => value / denominators[round]!));
}

export function median(numbers: number[]): number {
	const sorted = [...numbers].sort((a, b) => a - b);
	const middle = sorted.length >> 1;
	return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

const format = (number: number, digits: number, unit: string) =>
	Number.isNaN(number) ? '' : `${number.toFixed(digits)} ${unit}`.trim();

function table(head: string[], rows: string[][]): string {
	const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
	return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
