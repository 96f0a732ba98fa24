import type { Chat } from '../view';
import { element, icon } from './elements';
import { kindNames } from './words';

const HUES = 6;

/** The same chat always has the same colour. */
export function avatar({ id, kind }: Pick<Chat, 'id' | 'kind'>): HTMLElement {
	let mixed = 7;
	for (const character of id) mixed = Math.imul(mixed, 31) + character.charCodeAt(0);
	const made = element('span', 'avatar', icon(kind), element('span', 'unseen', kindNames[kind]));
	made.dataset.hue = String(((mixed ^ (mixed >>> 15)) >>> 0) % HUES);
	return made;
}
