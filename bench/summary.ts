import type { Measurements } from './measurements';
import type { Row, Run } from './series/throughput';
import { median, medianRatio } from './statistics';
import { MEGABYTE } from './workload';

/** What the tables, the targets and the chart show. */
export interface Summary {
	throughput: ThroughputSummary[];
	/** Of our node, in all runs. */
	outOfOrder: number;
	growth: { items: number; msPerItem: number; cpuMsPerItem: number }[];
	growthRatio: number;
	memory: {
		aboveIdle: number;
		worst: number;
		arrayBuffers: number;
		concurrency: number;
		seconds: number;
	};
	signing: { ours: number; bare: number; ratio: number };
	loadingMs: number;
}

export interface ThroughputSummary extends Omit<Row, 'runs'> {
	perSecond: number;
	slowest: number;
	fastest: number;
	/** Our node's cost divided by the cost of this row, in the same environment. */
	oursToThis: { wall: number; cpu: number };
	/** NaN if the CPU time is unknown. */
	cpuMsPerText: number;
	outOfOrder: number;
}

export const ENVIRONMENT_LABELS: Record<Row['environment'], string> = {
	engine: "n8n's engine",
	n8n: 'a real n8n',
};

export function summarize(measurements: Measurements): Summary {
	const { throughput, realN8n, signing, loading } = measurements;
	const growth = summarizeGrowth(measurements);
	const msPerItem = growth.map((entry) => entry.msPerItem);
	const rows = [...throughput.rows, ...(realN8n?.rows ?? [])];
	const summaries = rows.map((row) => summarizeThroughput(row, rows));
	return {
		throughput: summaries,
		outOfOrder: sum(
			summaries.filter(({ name }) => name === 'ours').map(({ outOfOrder }) => outOfOrder),
		),
		growth,
		growthRatio: Math.max(...msPerItem) / Math.min(...msPerItem),
		memory: summarizeMemory(measurements),
		signing: {
			ours: median(signing.ours),
			bare: median(signing.bare),
			ratio: medianRatio(signing.ours, signing.bare),
		},
		loadingMs: median(loading),
	};
}

function summarizeThroughput({ runs, ...settings }: Row, rows: Row[]): ThroughputSummary {
	const { environment, latencyMs, texts } = settings;
	const ours = rows.find(
		(row) => row.name === 'ours' && row.environment === environment && row.latencyMs === latencyMs,
	)!;
	const perSecond = wallTimes(runs).map((wallMs) => texts / (wallMs / 1000));
	return {
		...settings,
		perSecond: median(perSecond),
		slowest: Math.min(...perSecond),
		fastest: Math.max(...perSecond),
		oursToThis: {
			wall: medianRatio(wallTimes(ours.runs), wallTimes(runs)),
			cpu: medianRatio(cpuTimes(ours.runs), cpuTimes(runs)),
		},
		cpuMsPerText: median(cpuTimes(runs)) / texts,
		outOfOrder: sum(runs.map(({ outOfOrder }) => outOfOrder)),
	};
}

function summarizeGrowth({ growth }: Measurements) {
	return growth.map(({ items, runs }) => ({
		items,
		msPerItem: median(wallTimes(runs)) / items,
		cpuMsPerItem: median(cpuTimes(runs)) / items,
	}));
}

function summarizeMemory({ memory }: Measurements) {
	const aboveIdle = memory.map(({ peakRss, idleRss }) => (peakRss - idleRss) / MEGABYTE);
	const buffers = memory.map((run) => (run.peakArrayBuffers - run.idleArrayBuffers) / MEGABYTE);
	return {
		aboveIdle: median(aboveIdle),
		worst: Math.max(...aboveIdle),
		arrayBuffers: median(buffers),
		concurrency: Math.max(...memory.map(({ concurrency }) => concurrency)),
		seconds: median(memory.map(({ wallMs }) => wallMs)) / 1000,
	};
}

const wallTimes = (runs: Pick<Run, 'wallMs'>[]) => runs.map(({ wallMs }) => wallMs);
const cpuTimes = (runs: Pick<Run, 'cpuMs'>[]) => runs.map(({ cpuMs = NaN }) => cpuMs);
const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
