import type { Sample } from './main';

const WIDTH = 720;
const HEIGHT = 300;
const LEFT = 70;
const RIGHT = 24;
const TOP = 74;
const BOTTOM = 44;

/** It brings its own ground: a page may be dark where the system is light. */
const STYLE = `
	text { font: 14px system-ui, sans-serif; fill: #1f2328 }
	.title { font-weight: 600; font-size: 16px }
	.quiet { fill: #59636e }
	.ground { fill: #ffffff; stroke: #d1d9e0 }
	.grid { stroke: #d1d9e0 }
	.rss { stroke: #afb8c1; fill: none; stroke-width: 2 }
	.heap { stroke: #1a7f5a; fill: none; stroke-width: 2 }
	@media (prefers-color-scheme: dark) {
		text { fill: #f0f6fc }
		.quiet { fill: #9198a1 }
		.ground { fill: #0d1117; stroke: #3d444d }
		.grid { stroke: #3d444d }
		.rss { stroke: #59636e }
		.heap { stroke: #3fb68b }
	}
`;

const STEP_MB = 100;

/** Memory over time. */
export function curve(samples: Sample[]): string {
	const most = Math.max(...samples.map(({ rss }) => rss));
	const top = Math.ceil(most / STEP_MB) * STEP_MB;
	const minutes = samples.at(-1)!.minute;
	const x = (minute: number) => LEFT + (minute / minutes) * (WIDTH - LEFT - RIGHT);
	const y = (megabytes: number) => HEIGHT - BOTTOM - (megabytes / top) * (HEIGHT - TOP - BOTTOM);
	const line = (name: string, value: (sample: Sample) => number) => {
		const points = samples.map((one) => `${x(one.minute).toFixed(1)},${y(value(one)).toFixed(1)}`);
		return `<polyline class="${name}" points="${points.join(' ')}"/>`;
	};
	const rows = Array.from({ length: top / STEP_MB + 1 }, (_, i) => i * STEP_MB).map(
		(
			megabytes,
		) => `<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(megabytes)}" y2="${y(megabytes)}"/>
<text class="quiet" x="${LEFT - 8}" y="${y(megabytes) + 5}" text-anchor="end">${megabytes} MB</text>`,
	);
	const title = 'Memory over half an hour of mixed load';
	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img" aria-label="${title}">
<style>${STYLE}</style>
<rect class="ground" x="0.5" y="0.5" width="${WIDTH - 1}" height="${HEIGHT - 1}" rx="6"/>
<text class="title" x="24" y="32">${title}</text>
<text class="quiet" x="24" y="54">Grey: the process. Green: heap and buffers after a collection of garbage.</text>
${rows.join('\n')}
${line('rss', ({ rss }) => rss)}
${line('heap', ({ heap, buffers }) => heap + buffers)}
<text class="quiet" x="${LEFT}" y="${HEIGHT - 16}">0</text>
<text class="quiet" x="${WIDTH - RIGHT}" y="${HEIGHT - 16}" text-anchor="end">${Math.round(minutes)} minutes</text>
</svg>
`;
}
