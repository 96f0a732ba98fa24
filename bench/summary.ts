import type { Measurements } from './measurements';
import type { ManyItems } from './series/manyItems';
import type { Memory, MemoryInput } from './series/memory';
import type { Profile } from './series/profile';
import type { Row, Run } from './series/throughput';
import { median, medianRatio } from './statistics';
import { MEGABYTE } from './workload';

/** What the tables, the targets and the chart show. */
export interface Summary {
	throughput: ThroughputSummary[];
	/** Of our node, in all runs. */
	outOfOrder: number;
	growth: Growth[];
	/** The largest number of items, relative to the smallest. */
	growthRatio: Cost;
	manyItems: ManyItems;
	memory: Record<MemoryInput['source'], MemorySummary>;
	signing: { ours: number; bare: number; ratio: number };
	loadingMs: number;
	profile: Profile;
}

interface Cost {
	wall: number;
	/** NaN if the CPU time is unknown. */
	cpu: number;
}

interface Growth {
	items: number;
	msPerItem: number;
	cpuMsPerItem: number;
}

export interface MemorySummary {
	aboveIdle: number;
	worst: number;
	arrayBuffers: number;
	concurrency: number;
	seconds: number;
}

export interface ThroughputSummary extends Omit<Row, 'runs'> {
	perSecond: number;
	slowest: number;
	fastest: number;
	/** The cost of our node divided by the cost of this row under the same load, for each concurrency of our node. */
	oursToThis: (Cost & { concurrency: Row['concurrency'] })[];
	cpuMsPerText: number;
	outOfOrder: number;
}

export const ENVIRONMENT_LABELS: Record<Row['environment'], string> = {
	engine: "n8n's engine",
	n8n: 'a real n8n',
};

export const loadLabel = ({ latencyMs, tls }: Pick<Row, 'latencyMs' | 'tls'>): string =>
	`${latencyMs} ms${tls ? ', TLS' : ''}`;

export function concurrencyLabel(concurrency: Row['concurrency']): string {
	if (concurrency === 'all') return 'all at once';
	return concurrency === 1 ? 'one by one' : `${concurrency} at a time`;
}

export function summarize(measurements: Measurements): Summary {
	const { throughput, realN8n, growth, memory, manyItems, signing } = measurements;
	const rows = [...throughput.rows, ...(realN8n?.rows ?? [])];
	const summaries = rows.map((row) => summarizeThroughput(row, rows));
	return {
		throughput: summaries,
		outOfOrder: sum(
			summaries.filter(({ name }) => name === 'ours').map(({ outOfOrder }) => outOfOrder),
		),
		growth: growth.map(({ items, runs }) => ({
			items,
			msPerItem: median(wallTimes(runs)) / items,
			cpuMsPerItem: median(cpuTimes(runs)) / items,
		})),
		growthRatio: growthRatio(growth[0]!, growth.at(-1)!),
		manyItems,
		memory: { binary: summarizeMemory(memory.binary), url: summarizeMemory(memory.url) },
		signing: {
			ours: median(signing.ours),
			bare: median(signing.bare),
			ratio: medianRatio(signing.ours, signing.bare),
		},
		loadingMs: median(measurements.loading),
		profile: measurements.profile,
	};
}

function summarizeThroughput({ runs, ...settings }: Row, rows: Row[]): ThroughputSummary {
	const { environment, latencyMs, tls, texts } = settings;
	const ours = rows.filter(
		(row) =>
			row.name === 'ours' &&
			row.environment === environment &&
			row.latencyMs === latencyMs &&
			row.tls === tls,
	);
	const perSecond = wallTimes(runs).map((wallMs) => texts / (wallMs / 1000));
	return {
		...settings,
		perSecond: median(perSecond),
		slowest: Math.min(...perSecond),
		fastest: Math.max(...perSecond),
		oursToThis: ours.map((row) => ({
			concurrency: row.concurrency,
			wall: medianRatio(wallTimes(row.runs), wallTimes(runs)),
			cpu: medianRatio(cpuTimes(row.runs), cpuTimes(runs)),
		})),
		cpuMsPerText: median(cpuTimes(runs)) / texts,
		outOfOrder: sum(runs.map(({ outOfOrder }) => outOfOrder)),
	};
}

function growthRatio(few: Measurements['growth'][0], many: Measurements['growth'][0]): Cost {
	const factor = few.items / many.items;
	return {
		wall: medianRatio(wallTimes(many.runs), wallTimes(few.runs)) * factor,
		cpu: medianRatio(cpuTimes(many.runs), cpuTimes(few.runs)) * factor,
	};
}

function summarizeMemory(runs: Memory[]): MemorySummary {
	const aboveIdle = runs.map(({ peakRss, idleRss }) => (peakRss - idleRss) / MEGABYTE);
	const buffers = runs.map((run) => (run.peakArrayBuffers - run.idleArrayBuffers) / MEGABYTE);
	return {
		aboveIdle: median(aboveIdle),
		worst: Math.max(...aboveIdle),
		arrayBuffers: median(buffers),
		concurrency: Math.max(...runs.map(({ concurrency }) => concurrency)),
		seconds: median(wallTimes(runs)) / 1000,
	};
}

const wallTimes = (runs: Pick<Run, 'wallMs'>[]) => runs.map(({ wallMs }) => wallMs);
const cpuTimes = (runs: Pick<Run, 'cpuMs'>[]) => runs.map(({ cpuMs = NaN }) => cpuMs);
const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
