export const WIDTH = 720;
export const MARGIN = 24;

/** Each color is given for the light and the dark color scheme. */
export type Color = [light: string, dark: string];

const TEXT: Color = ['#1f2328', '#f0f6fc'];
const SECONDARY_TEXT: Color = ['#59636e', '#9198a1'];
const BACKGROUND: Color = ['#ffffff', '#0d1117'];
export const BORDER: Color = ['#d1d9e0', '#3d444d'];
export const GRAY: Color = ['#afb8c1', '#59636e'];
export const GREEN: Color = ['#1a7f5a', '#3fb68b'];

interface Chart {
	title: string;
	subtitle: string;
	height: number;
	/** CSS rules for what `content` draws. */
	style: (color: (color: Color) => string) => string[];
	content: string[];
}

/** Draws its own background, because the page may be light while the system is set to dark. */
export function svg({ title, subtitle, height, style, content }: Chart): string {
	const rules = (color: (color: Color) => string) => [
		`text { fill: ${color(TEXT)} }`,
		`.secondary, tspan.secondary { fill: ${color(SECONDARY_TEXT)} }`,
		`.background { fill: ${color(BACKGROUND)}; stroke: ${color(BORDER)} }`,
		...style(color),
	];
	const light = rules(([value]) => value);
	const dark = rules(([, value]) => value);
	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="${title}">
<style>
	text { font: 14px system-ui, sans-serif }
	.title { font-weight: 600; font-size: 16px }
	.load { font-weight: 600 }
	${light.join('\n\t')}
	@media (prefers-color-scheme: dark) {
		${dark.join('\n\t\t')}
	}
</style>
<rect class="background" x="0.5" y="0.5" width="${WIDTH - 1}" height="${height - 1}" rx="6"/>
<text class="title" x="${MARGIN}" y="32">${title}</text>
<text class="secondary" x="${MARGIN}" y="54">${subtitle}</text>
${content.join('\n')}
</svg>
`;
}
