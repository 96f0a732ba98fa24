/** Of the page. All colors have a contrast of at least 4.5 in light and dark. */
export const STYLE = `
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
h1, .text, label, legend, button, .error { overflow-wrap: anywhere; }
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
.buttons { display: flex; flex-wrap: wrap; gap: .75rem; }
button { flex: 1 1 10rem; min-height: 3.25rem; padding: .75rem 1rem; border: 2px solid var(--accent); border-radius: .5rem;
	font: inherit; font-weight: 600; cursor: pointer; }
.primary { background: var(--accent); color: var(--on-accent); }
.secondary { background: transparent; color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
@media (min-width: 40rem) { main { min-height: 0; margin: 4rem auto; padding: 2rem; border-radius: .75rem; } }
`;
