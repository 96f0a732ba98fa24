import type { Value } from '../../../guide/guide';
import { element } from '../base/elements';
import { reportFailure } from '../base/notifications';

const SHOWN_MS = 2_000;

/** Creates a row with a value and a button that copies it. */
export function copyRow({ label, value }: Value): HTMLElement {
	const button = element('button', 'copy', 'Copy');
	button.type = 'button';
	button.setAttribute('aria-label', `Copy ${label}`);
	button.addEventListener('click', () => reportFailure(copy(value, button)));
	const code = element('code', '', value);
	// The title shows the whole value if it is too long for the line.
	code.title = value;
	return element('div', '', element('dt', '', label), element('dd', '', code, button));
}

async function copy(value: string, button: HTMLElement): Promise<void> {
	await navigator.clipboard.writeText(value);
	button.textContent = 'Copied';
	setTimeout(() => (button.textContent = 'Copy'), SHOWN_MS);
}
