import { element } from './elements';

const rendered = new WeakMap<HTMLElement, string>();

/**
 * Updates the rows of a list. Does not touch unchanged rows, so that they keep scroll position, text
 * selection, loaded images and focus.
 */
export function updateList<T extends { id: string }>(
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
		const serialized = JSON.stringify(item);
		if (rendered.get(row) !== serialized) fill(row, item);
		rendered.set(row, serialized);
		if (row === next) next = next.nextElementSibling;
		else list.insertBefore(row, next);
	}
	// An element loses the focus when its row moves.
	if (focused instanceof HTMLElement && list.contains(focused))
		focused.focus({ preventScroll: true });
}
