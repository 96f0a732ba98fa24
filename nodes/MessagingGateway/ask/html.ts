import { createHash } from 'crypto';

import { direction, type Language } from './texts';

/** Returns a text as HTML that shows it. */
export const escaped = (text: string) =>
	text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** Text has a contrast of at least 4.5 with its background in light and dark mode, and lines have at least 3. */
const STYLE = `
:root { color-scheme: light dark; --page: #f3f4f6; --card: #fff; --text: #1b1f24; --soft: #59616b; --line: #7a828c;
	--accent: #0b6b58; --on-accent: #fff; --error: #b3261e; }
@media (prefers-color-scheme: dark) {
	:root { --page: #14171a; --card: #1f2428; --text: #eceff1; --soft: #adb5bd; --line: #868e96;
		--accent: #6fd6be; --on-accent: #06231c; --error: #ff9d94; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); font: 1.0625rem/1.5 system-ui, sans-serif; }
main { max-width: 34rem; margin: 0 auto; padding: 1.5rem 1.25rem 2rem; background: var(--card); min-height: 100vh; }
h1 { margin: 0 0 1rem; font-size: 1.375rem; line-height: 1.25; }
h1, .text, label, legend, button, .error, bdi { overflow-wrap: anywhere; }
.text { margin: 0 0 1.5rem; white-space: pre-wrap; }
dt { font-weight: 600; }
dd { margin-left: 0; }
.field, fieldset { margin: 0 0 1.25rem; padding: 0; border: 0; min-width: 0; }
.field label, legend { display: block; margin: 0 0 .375rem; padding: 0; font-weight: 600; }
.required { color: var(--soft); font-weight: 400; }
input:not([type=checkbox]), select, textarea { display: block; width: 100%; min-height: 3rem; padding: .625rem .75rem;
	border: 1px solid var(--line); border-radius: .5rem; background: var(--card); color: var(--text); font: inherit; }
::placeholder { color: var(--soft); opacity: 1; }
input[aria-invalid], select[aria-invalid], textarea[aria-invalid] { border: 2px solid var(--error); }
.choice { display: flex; gap: .75rem; align-items: center; min-height: 3rem; }
.choice input { flex: none; width: 1.375rem; height: 1.375rem; margin: 0; accent-color: var(--accent); }
.error, .alert { margin: .375rem 0 0; color: var(--error); font-weight: 600; }
.alert { margin: 0 0 1.25rem; }
.drafts { margin: 0; padding: 0; list-style: none; counter-reset: ticked; }
.drafts li { margin: 0 0 1.25rem; padding: 0 0 .25rem; border-bottom: 1px solid var(--line); }
.drafts .text, details { margin: 0 0 1rem; }
.drafts .text { overflow: hidden; }
.drafts textarea { field-sizing: content; }
:checked { counter-increment: ticked; }
.count::before { content: counter(ticked); content: counter(ticked) / counter(ticked); }
.replaced, li:has(textarea:user-valid) > .text { text-decoration: line-through; }
summary { min-height: 3rem; padding: .75rem 0; color: var(--accent); font-weight: 600; cursor: pointer; }
.buttons { display: flex; flex-wrap: wrap; gap: .75rem; }
button[value=all] { flex-basis: 100%; }
button { flex: 1 1 10rem; min-height: 3.25rem; padding: .75rem 1rem; border: 2px solid var(--accent); border-radius: .5rem;
	font: inherit; font-weight: 600; cursor: pointer; }
.primary { background: var(--accent); color: var(--on-accent); }
.secondary { background: transparent; color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
@media (min-width: 40rem) { main { min-height: 0; margin: 4rem auto; padding: 2rem; border-radius: .75rem; } }
`;

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
