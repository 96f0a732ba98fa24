import { element } from './elements';

const shown = new WeakMap<HTMLElement, string>();

/**
 * Brings a list in step with its items. A row that has not changed is not touched, so that scrolling,
 * selected text, loaded pictures and the focus stay where they are.
 */
export function showList<T extends { id: string }>(
	list: HTMLElement,
	items: T[],
	fill: (row: HTMLElement, item: T) => void,
): void {
	const focused = document.activeElement;
	const rows = new Map(
		[...list.children].map((row) => [(row as HTMLElement).dataset.key, row as HTMLElement]),
	);
	const wanted = new Set(items.map(({ id }) => id));
	for (const [key, row] of rows) if (!wanted.has(key ?? '')) row.remove();

	let next = list.firstElementChild;
	for (const item of items) {
		const row = rows.get(item.id) ?? element('li', '');
		row.dataset.key = item.id;
		const now = JSON.stringify(item);
		if (shown.get(row) !== now) fill(row, item);
		shown.set(row, now);
		if (row === next) next = next.nextElementSibling;
		else list.insertBefore(row, next);
	}
	// A row that moves takes the focus from what is in it.
	if (focused instanceof HTMLElement && list.contains(focused))
		focused.focus({ preventScroll: true });
}
