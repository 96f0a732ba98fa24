import { type Extent, MEGABYTE } from './extent';
import type { Measured } from './measured';
import { type Cost, median, medianRatio } from './rounds';
import type { Row } from './series/throughput';

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

export interface ThroughputFigures {
	latencyMs: number;
	name: Row['name'];
	perSecond: number;
	slowest: number;
	fastest: number;
	cpuMs: number;
	wallToFloor: number;
	cpuToFloor: number;
	violations: number;
}

export function figuresOf(measured: Measured, extent: Extent): Figures {
	const { throughput, signing, loading } = measured;
	const growth = growthOf(measured);
	const perItem = growth.map(({ msPerItem }) => msPerItem);
	const rows = throughput.rows.map((row) => throughputOf(row, throughput.rows, extent.texts));
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

function throughputOf({ latencyMs, name, runs }: Row, rows: Row[], texts: number) {
	const floor = rows.find((row) => row.latencyMs === latencyMs && row.name === 'floor')!;
	const perSecond = wallOf(runs).map((wallMs) => texts / (wallMs / 1000));
	return {
		latencyMs,
		name,
		perSecond: median(perSecond),
		slowest: Math.min(...perSecond),
		fastest: Math.max(...perSecond),
		cpuMs: median(cpuOf(runs)),
		wallToFloor: medianRatio(wallOf(runs), wallOf(floor.runs)),
		cpuToFloor: medianRatio(cpuOf(runs), cpuOf(floor.runs)),
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

const wallOf = (runs: Cost[]) => runs.map(({ wallMs }) => wallMs);
const cpuOf = (runs: Cost[]) => runs.map(({ cpuMs }) => cpuMs);
const total = (numbers: number[]) => numbers.reduce((sum, number) => sum + number, 0);
