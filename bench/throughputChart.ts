import { ENVIRONMENT_LABELS, type ThroughputSummary } from './summary';
import { type Color, GRAY, GREEN, MARGIN, svg, WIDTH } from './svg';

const BARS_LEFT = 300;
const BARS_RIGHT = WIDTH - 110;
const BAR_HEIGHT = 18;
const BASELINE = BAR_HEIGHT - 4;
const ROW_HEIGHT = 26;
const GROUP_GAP = 18;
const TOP = 74;

type Name = ThroughputSummary['name'];

const COLORS: Record<Name, Color> = {
	limit: GRAY,
	floor: ['#6e9bd1', '#4573ad'],
	ours: GREEN,
	chain: ['#d99a53', '#a56f2f'],
	Telegram: ['#a98bd0', '#7a5ea8'],
};

const LABELS: Record<Name, string> = {
	limit: 'Node.js without n8n',
	floor: 'minimal n8n node',
	ours: 'this node',
	chain: 'Code + Crypto + HTTP',
	Telegram: "n8n's Telegram node",
};

/** Messages per second: one group of bars for each latency and environment. */
export function throughputChart(rows: ThroughputSummary[]): string {
	let y = TOP;
	const content = groupsOf(rows).map((group) => {
		const bars = barGroup(group, y);
		y += group.length * ROW_HEIGHT + GROUP_GAP;
		return bars;
	});
	return svg({
		title: 'Messages per second',
		subtitle: "By the gateway's latency. Each group has its own scale.",
		height: y - GROUP_GAP + MARGIN / 2,
		style: (color) =>
			Object.entries(COLORS).map(([name, pair]) => `.${name} { fill: ${color(pair)} }`),
		content,
	});
}

function groupsOf(rows: ThroughputSummary[]): ThroughputSummary[][] {
	const latencies = [...new Set(rows.map(({ latencyMs }) => latencyMs))];
	const environments = [...new Set(rows.map(({ environment }) => environment))];
	return latencies
		.flatMap((latency) =>
			environments.map((environment) =>
				rows.filter((row) => row.latencyMs === latency && row.environment === environment),
			),
		)
		.filter(({ length }) => length > 0);
}

function barGroup(group: ThroughputSummary[], top: number): string {
	const max = Math.max(...group.map(({ perSecond }) => perSecond));
	const bars = group.map((row, i) => bar(row, top + i * ROW_HEIGHT, max));
	const { latencyMs, environment } = group[0]!;
	const heading = [`${latencyMs} ms`, ENVIRONMENT_LABELS[environment]].map((line, i) => {
		const y = top + i * ROW_HEIGHT + BASELINE;
		return `<text class="secondary" x="${MARGIN}" y="${y}">${line}</text>`;
	});
	return [...heading, ...bars].join('\n');
}

function bar({ name, perSecond }: ThroughputSummary, y: number, max: number): string {
	const length = Math.max(1, Math.round((perSecond / max) * (BARS_RIGHT - BARS_LEFT)));
	return [
		`<text x="${BARS_LEFT - 10}" y="${y + BASELINE}" text-anchor="end">${LABELS[name]}</text>`,
		`<rect class="${name}" x="${BARS_LEFT}" y="${y}" width="${length}" height="${BAR_HEIGHT}" rx="2"/>`,
		`<text x="${BARS_LEFT + length + 8}" y="${y + BASELINE}">${Math.round(perSecond).toLocaleString('en-US')}</text>`,
	].join('');
}
