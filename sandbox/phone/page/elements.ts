// The browser's names are declared here for the page's files. (No file outside of page/ may use them.)
/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

/** An element that page.html promises. */
export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
	const found = document.getElementById(id);
	if (!found) throw new Error(`page.html has no #${id}`);
	return found as T;
}

/** Text goes in as text, whatever it contains: nothing on this page is ever parsed as HTML. */
export function element<K extends keyof HTMLElementTagNameMap>(
	tag: K,
	className: string,
	...content: Array<Node | string>
): HTMLElementTagNameMap[K] {
	const made = document.createElement(tag);
	made.className = className;
	made.append(...content);
	return made;
}

export type IconName =
	'person' | 'group' | 'channel' | 'file' | 'picture' | 'download' | 'sent' | 'deferred';

const SVG = 'http://www.w3.org/2000/svg';

export function icon(name: IconName): SVGSVGElement {
	const use = document.createElementNS(SVG, 'use');
	use.setAttribute('href', `#icon-${name}`);
	const drawn = document.createElementNS(SVG, 'svg');
	drawn.setAttribute('class', 'icon');
	drawn.setAttribute('aria-hidden', 'true');
	drawn.append(use);
	return drawn;
}
