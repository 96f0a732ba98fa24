import { BORDER, GRAY, GREEN, svg, WIDTH } from '../svg';
import type { Sample } from './sample';

const HEIGHT = 300;
const LEFT = 70;
const RIGHT = 24;
const TOP = 74;
const BOTTOM = 44;
const GRID_STEP_MB = 100;

export function memoryChart(samples: Sample[]): string {
	const gridSteps = Math.ceil(Math.max(...samples.map(({ rss }) => rss)) / GRID_STEP_MB);
	const maxMegabytes = gridSteps * GRID_STEP_MB;
	const minutes = samples.at(-1)!.minute;
	const x = (minute: number) => LEFT + (minute / minutes) * (WIDTH - LEFT - RIGHT);
	const y = (megabytes: number) =>
		HEIGHT - BOTTOM - (megabytes / maxMegabytes) * (HEIGHT - TOP - BOTTOM);
	const line = (name: string, value: (sample: Sample) => number) => {
		const points = samples.map(
			(sample) => `${x(sample.minute).toFixed(1)},${y(value(sample)).toFixed(1)}`,
		);
		return `<polyline class="${name}" points="${points.join(' ')}"/>`;
	};
	const gridLine = (megabytes: number) =>
		`<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(megabytes)}" y2="${y(megabytes)}"/>
<text class="secondary" x="${LEFT - 8}" y="${y(megabytes) + 5}" text-anchor="end">${megabytes} MB</text>`;
	return svg({
		title: 'Memory during half an hour of mixed load',
		subtitle: 'Gray: resident memory (RSS). Green: heap and buffers after a garbage collection.',
		height: HEIGHT,
		style: (color) => [
			`.grid { stroke: ${color(BORDER)} }`,
			`.rss { stroke: ${color(GRAY)}; fill: none; stroke-width: 2 }`,
			`.heap { stroke: ${color(GREEN)}; fill: none; stroke-width: 2 }`,
		],
		content: [
			...Array.from({ length: gridSteps + 1 }, (_, i) => gridLine(i * GRID_STEP_MB)),
			line('rss', ({ rss }) => rss),
			line('heap', ({ heap, buffers }) => heap + buffers),
			`<text class="secondary" x="${LEFT}" y="${HEIGHT - 16}">0</text>`,
			`<text class="secondary" x="${WIDTH - RIGHT}" y="${HEIGHT - 16}" text-anchor="end">${Math.round(minutes)} minutes</text>`,
		],
	});
}
