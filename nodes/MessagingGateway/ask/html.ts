import { createHash } from 'crypto';

import STYLE from './page.css';
import { direction, type Language } from './texts';

/** Returns a text as HTML that shows it. */
export const escaped = (text: string) =>
	text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const styleHash = createHash('sha256').update(STYLE).digest('base64');

/** The page contains the policy, too, because n8n replaces the header of the page that follows an answer. */
const CONTENT_POLICY = `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'self'; base-uri 'none'`;

/** With these headers, the page runs no scripts, loads nothing, and is neither indexed nor cached nor shown in a frame. */
export const PAGE_HEADERS = {
	'Content-Type': 'text/html; charset=utf-8',
	'Content-Security-Policy': `${CONTENT_POLICY}; frame-ancestors 'none'`,
	'Referrer-Policy': 'no-referrer',
	'X-Robots-Tag': 'noindex, nofollow',
	'X-Content-Type-Options': 'nosniff',
	'Cache-Control': 'no-store',
};

/** Returns a complete page. `content` is HTML, but `title` is text. */
export function page(language: Language, title: string, content: string): string {
	return `<!doctype html>
<html lang="${language}" dir="${direction(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="${escaped(CONTENT_POLICY)}">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1 dir="auto">${escaped(title)}</h1>
${content}
</main>
</body>
</html>
`;
}
