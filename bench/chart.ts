import type { ThroughputFigures } from './figures';

const WIDTH = 720;
const MARGIN = 24;
const BARS_FROM = 300;
const BARS_TO = WIDTH - 110;
const BAR = 18;
const BASELINE = BAR - 4;
const ROW = 26;
const BETWEEN_GROUPS = 18;
const TOP = 74;

/** It brings its own ground: a page may be dark where the system is light. */
const STYLE = `
	text { font: 14px system-ui, sans-serif; fill: #1f2328 }
	.title { font-weight: 600; font-size: 16px }
	.quiet { fill: #59636e }
	.ground { fill: #ffffff; stroke: #d1d9e0 }
	.limit { fill: #afb8c1 }
	.floor { fill: #6e9bd1 }
	.ours { fill: #1a7f5a }
	.chain { fill: #d99a53 }
	.Telegram { fill: #a98bd0 }
	@media (prefers-color-scheme: dark) {
		text { fill: #f0f6fc }
		.quiet { fill: #9198a1 }
		.ground { fill: #0d1117; stroke: #3d444d }
		.limit { fill: #59636e }
		.floor { fill: #4573ad }
		.ours { fill: #3fb68b }
		.chain { fill: #a56f2f }
		.Telegram { fill: #7a5ea8 }
	}
`;

const WHO: Record<ThroughputFigures['name'], string> = {
	limit: 'Node alone',
	floor: 'barest n8n node',
	ours: 'this node',
	chain: 'Code + Crypto + HTTP',
	Telegram: "n8n's Telegram node",
};

const WHERE: Record<ThroughputFigures['where'], string> = {
	engine: "n8n's engine",
	n8n: 'a real n8n',
};

/** Messages per second, one group of bars for each latency and place. */
export function chart(rows: ThroughputFigures[]): string {
	const groups = groupsOf(rows);
	let y = TOP;
	const drawn = groups.map((group) => {
		const lines = groupOfBars(group, y);
		y += group.length * ROW + BETWEEN_GROUPS;
		return lines;
	});
	const height = y - BETWEEN_GROUPS + MARGIN / 2;
	const title = 'Messages per second';
	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="${title}">
<style>${STYLE}</style>
<rect class="ground" x="0.5" y="0.5" width="${WIDTH - 1}" height="${height - 1}" rx="6"/>
<text class="title" x="${MARGIN}" y="32">${title}</text>
<text class="quiet" x="${MARGIN}" y="54">By how late the gateway answers; each group has a scale of its own</text>
${drawn.join('\n')}
</svg>
`;
}

function groupsOf(rows: ThroughputFigures[]): ThroughputFigures[][] {
	const latencies = [...new Set(rows.map(({ latencyMs }) => latencyMs))];
	const places = [...new Set(rows.map(({ where }) => where))];
	return latencies
		.flatMap((latency) =>
			places.map((place) =>
				rows.filter(({ latencyMs, where }) => latencyMs === latency && where === place),
			),
		)
		.filter(({ length }) => length > 0);
}

function groupOfBars(group: ThroughputFigures[], top: number): string {
	const most = Math.max(...group.map(({ perSecond }) => perSecond));
	const bars = group.map((row, i) => bar(row, top + i * ROW, most));
	const { latencyMs, where } = group[0]!;
	const about = [`${latencyMs} ms`, WHERE[where]].map((line, i) => {
		const y = top + i * ROW + BASELINE;
		return `<text class="quiet" x="${MARGIN}" y="${y}">${line}</text>`;
	});
	return [...about, ...bars].join('\n');
}

function bar({ name, perSecond }: ThroughputFigures, y: number, most: number): string {
	const length = Math.max(1, Math.round((perSecond / most) * (BARS_TO - BARS_FROM)));
	return [
		`<text x="${BARS_FROM - 10}" y="${y + BASELINE}" text-anchor="end">${WHO[name]}</text>`,
		`<rect class="${name}" x="${BARS_FROM}" y="${y}" width="${length}" height="${BAR}" rx="2"/>`,
		`<text x="${BARS_FROM + length + 8}" y="${y + BASELINE}">${Math.round(perSecond).toLocaleString('en-US')}</text>`,
	].join('');
}
