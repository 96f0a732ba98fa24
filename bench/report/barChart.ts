const WIDTH = 720;
const MARGIN = 24;
const TOP = 78;
const BARS_LEFT = 340;
const ROW_HEIGHT = 26;

/** For the light and the dark color scheme. */
const COLORS = {
	text: ['#1f2328', '#f0f6fc'],
	secondary: ['#59636e', '#9198a1'],
	background: ['#ffffff', '#0d1117'],
	border: ['#d1d9e0', '#3d444d'],
	gray: ['#afb8c1', '#59636e'],
	green: ['#1a7f5a', '#3fb68b'],
	blue: ['#6e9bd1', '#4573ad'],
	orange: ['#d99a53', '#a56f2f'],
	purple: ['#a98bd0', '#7a5ea8'],
} as const;

export type Color = keyof typeof COLORS;

interface Bar {
	label: string;
	note: string;
	color: Color;
	value: number;
}

/** Groups of horizontal bars, all with one scale. */
export function barChart(
	title: string,
	subtitle: string,
	groups: Array<{ label: string; bars: Bar[] }>,
): string {
	const max = Math.max(...groups.flatMap(({ bars }) => bars.map(({ value }) => value)));
	let y = TOP;
	const content = groups.flatMap(({ label, bars }) => {
		const heading = text(MARGIN, y + 14, label, 'class="strong"');
		const rows = bars.map(({ label, note, color, value }, i) => {
			const top = y + i * ROW_HEIGHT;
			const length = Math.max(1, Math.round((value / max) * (WIDTH - 76 - BARS_LEFT)));
			return [
				text(BARS_LEFT - 10, top + 14, `${label}, ${note}`, 'text-anchor="end"'),
				`<rect x="${BARS_LEFT}" y="${top}" width="${length}" height="18" rx="2" fill="var(--${color})"/>`,
				text(BARS_LEFT + length + 8, top + 14, Math.round(value).toLocaleString('en-US')),
			].join('');
		});
		y += bars.length * ROW_HEIGHT + 20;
		return [heading, ...rows];
	});
	const axis = `<path d="M${BARS_LEFT} ${TOP - 6}V${y - 20}" stroke="var(--border)"/>`;
	return svg(title, subtitle, y - 8, [axis, ...content]);
}

function text(x: number, y: number, content: string, attributes = ''): string {
	return `<text x="${x}" y="${y}" ${attributes}>${content}</text>`;
}

/** Draws its own background, because the page may be light while the system is set to dark. */
function svg(title: string, subtitle: string, height: number, content: string[]): string {
	const colors = (scheme: 0 | 1) =>
		Object.entries(COLORS).map(([name, pair]) => `--${name}: ${pair[scheme]};`);
	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="${title}">
<style>
	svg { ${colors(0).join(' ')} }
	@media (prefers-color-scheme: dark) { svg { ${colors(1).join(' ')} } }
	text { font: 14px system-ui, sans-serif; fill: var(--text) }
	.strong { font-weight: 600 }
	.secondary { fill: var(--secondary) }
</style>
<rect x="0.5" y="0.5" width="${WIDTH - 1}" height="${height - 1}" rx="6" fill="var(--background)" stroke="var(--border)"/>
${text(MARGIN, 32, title, 'class="strong" style="font-size: 16px"')}
${text(MARGIN, 54, subtitle, 'class="secondary"')}
${content.join('\n')}
</svg>
`;
}
