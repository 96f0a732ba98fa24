import { MEGABYTE } from './extent';
import type { Measured } from './measured';
import { median, medianRatio } from './rounds';
import type { Row, Run } from './series/throughput';

/** What the tables, the targets and the chart say, worked out once from the runs. */
export interface Figures {
	throughput: ThroughputFigures[];
	/** Of our own node, in all its runs. */
	violations: number;
	growth: { items: number; msPerItem: number; cpuMsPerItem: number }[];
	growthRatio: number;
	memory: {
		aboveIdle: number;
		worst: number;
		arrayBuffers: number;
		atOnce: number;
		seconds: number;
	};
	signing: { ours: number; bare: number; ratio: number };
	loadingMs: number;
}

export interface ThroughputFigures extends Omit<Row, 'runs'> {
	perSecond: number;
	slowest: number;
	fastest: number;
	/** Of our node, beside this one in the same place. */
	oursToIts: { wall: number; cpu: number };
	/** Not a number where CPU time is unknown. */
	cpuMsPerText: number;
	violations: number;
}

export function figuresOf(measured: Measured): Figures {
	const { throughput, inN8n, signing, loading } = measured;
	const growth = growthOf(measured);
	const perItem = growth.map(({ msPerItem }) => msPerItem);
	const runs = [...throughput.rows, ...(inN8n?.rows ?? [])];
	const rows = runs.map((row) => throughputOf(row, runs));
	return {
		throughput: rows,
		violations: total(rows.filter(({ name }) => name === 'ours').map((row) => row.violations)),
		growth,
		growthRatio: Math.max(...perItem) / Math.min(...perItem),
		memory: memoryOf(measured),
		signing: {
			ours: median(signing.ours),
			bare: median(signing.bare),
			ratio: medianRatio(signing.ours, signing.bare),
		},
		loadingMs: median(loading),
	};
}

function throughputOf({ runs, ...about }: Row, rows: Row[]): ThroughputFigures {
	const { where, latencyMs, texts } = about;
	const ours = rows.find(
		(row) => row.name === 'ours' && row.where === where && row.latencyMs === latencyMs,
	)!;
	const perSecond = wallOf(runs).map((wallMs) => texts / (wallMs / 1000));
	return {
		...about,
		perSecond: median(perSecond),
		slowest: Math.min(...perSecond),
		fastest: Math.max(...perSecond),
		oursToIts: {
			wall: medianRatio(wallOf(ours.runs), wallOf(runs)),
			cpu: medianRatio(cpuOf(ours.runs), cpuOf(runs)),
		},
		cpuMsPerText: median(cpuOf(runs)) / texts,
		violations: total(runs.map(({ violations }) => violations)),
	};
}

function growthOf({ growth }: Measured) {
	return growth.map(({ items, runs }) => ({
		items,
		msPerItem: median(wallOf(runs)) / items,
		cpuMsPerItem: median(cpuOf(runs)) / items,
	}));
}

function memoryOf({ memory }: Measured) {
	const above = memory.map(({ peakRss, idleRss }) => (peakRss - idleRss) / MEGABYTE);
	const buffers = memory.map((run) => (run.peakArrayBuffers - run.idleArrayBuffers) / MEGABYTE);
	return {
		aboveIdle: median(above),
		worst: Math.max(...above),
		arrayBuffers: median(buffers),
		atOnce: Math.max(...memory.map(({ atOnce }) => atOnce)),
		seconds: median(memory.map(({ wallMs }) => wallMs)) / 1000,
	};
}

const wallOf = (runs: Pick<Run, 'wallMs'>[]) => runs.map(({ wallMs }) => wallMs);
const cpuOf = (runs: Pick<Run, 'cpuMs'>[]) => runs.map(({ cpuMs = NaN }) => cpuMs);
const total = (numbers: number[]) => numbers.reduce((sum, number) => sum + number, 0);
