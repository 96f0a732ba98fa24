// These are the DOM types for the page. TypeScript makes them visible everywhere, but only the page may use them.
/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

/** Returns an element of page.html. Throws if the page has no such ID. */
export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
	const found = document.getElementById(id);
	if (!found) throw new Error(`page.html has no #${id}`);
	return found as T;
}

/** Creates an element. Strings become text nodes and are never parsed as HTML, so messages cannot inject any. */
export function element<K extends keyof HTMLElementTagNameMap>(
	tag: K,
	className: string,
	...content: Array<Node | string>
): HTMLElementTagNameMap[K] {
	const created = document.createElement(tag);
	created.className = className;
	created.append(...content);
	return created;
}

export type IconName =
	'person' | 'group' | 'channel' | 'file' | 'picture' | 'download' | 'sent' | 'deferred' | 'open';

const SVG = 'http://www.w3.org/2000/svg';

export function icon(name: IconName): SVGSVGElement {
	const use = document.createElementNS(SVG, 'use');
	use.setAttribute('href', `#icon-${name}`);
	const svg = document.createElementNS(SVG, 'svg');
	svg.setAttribute('class', 'icon');
	svg.setAttribute('aria-hidden', 'true');
	svg.append(use);
	return svg;
}
