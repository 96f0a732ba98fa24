import { concurrencyLabel, ENVIRONMENT_LABELS, loadLabel, type ThroughputSummary } from './summary';
import { type Color, BORDER, GRAY, GREEN, MARGIN, svg, WIDTH } from './svg';

const BARS_LEFT = 340;
const BARS_RIGHT = WIDTH - 76;
const BAR_HEIGHT = 18;
const BASELINE = BAR_HEIGHT - 4;
const ROW_HEIGHT = 26;
const GROUP_GAP = 20;
const TOP = 78;

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

/** Messages per second in a real n8n or, without one, in n8n's engine. One group of bars for each load, all with one scale. */
export function throughputChart(rows: ThroughputSummary[]): string {
	const environment = rows.some((row) => row.environment === 'n8n') ? 'n8n' : 'engine';
	const shown = rows.filter((row) => row.environment === environment);
	const max = Math.max(...shown.map(({ perSecond }) => perSecond));
	const loads = [...new Set(shown.map(loadLabel))];
	let y = TOP;
	const content = loads.map((load) => {
		const group = shown.filter((row) => loadLabel(row) === load);
		const bars = barGroup(load, group, y, max);
		y += group.length * ROW_HEIGHT + GROUP_GAP;
		return bars;
	});
	const bottom = y - GROUP_GAP;
	const axis = `<line class="axis" x1="${BARS_LEFT}" y1="${TOP - 6}" x2="${BARS_LEFT}" y2="${bottom}"/>`;
	return svg({
		title: 'Messages per second',
		subtitle: `In ${ENVIRONMENT_LABELS[environment]}, by the gateway's latency and the requests in flight. All bars have the same scale.`,
		height: bottom + MARGIN / 2,
		style: (color) => [
			`.axis { stroke: ${color(BORDER)} }`,
			...Object.entries(COLORS).map(([name, pair]) => `.${name} { fill: ${color(pair)} }`),
		],
		content: [axis, ...content],
	});
}

function barGroup(load: string, group: ThroughputSummary[], top: number, max: number): string {
	const bars = group.map((row, i) => bar(row, top + i * ROW_HEIGHT, max));
	const heading = `<text class="load" x="${MARGIN}" y="${top + BASELINE}">${load}</text>`;
	return [heading, ...bars].join('\n');
}

function bar({ name, concurrency, perSecond }: ThroughputSummary, y: number, max: number): string {
	const length = Math.max(1, Math.round((perSecond / max) * (BARS_RIGHT - BARS_LEFT)));
	const requests = `<tspan class="secondary">, ${concurrencyLabel(concurrency)}</tspan>`;
	return [
		`<text x="${BARS_LEFT - 10}" y="${y + BASELINE}" text-anchor="end">${LABELS[name]}${requests}</text>`,
		`<rect class="${name}" x="${BARS_LEFT}" y="${y}" width="${length}" height="${BAR_HEIGHT}" rx="2"/>`,
		`<text x="${BARS_LEFT + length + 8}" y="${y + BASELINE}">${Math.round(perSecond).toLocaleString('en-US')}</text>`,
	].join('');
}
