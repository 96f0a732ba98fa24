import type { Bubble } from '../view';
import { element, icon } from './elements';
import { sizeOf, timeLeft, timeOf } from './words';

export interface Day {
	id: string;
	day: string;
}

type BubbleFile = NonNullable<Bubble['file']>;

export function fillDay(row: HTMLElement, { day }: Day): void {
	row.className = 'day';
	row.replaceChildren(element('span', '', day));
}

export function fillBubble(row: HTMLElement, bubble: Bubble): void {
	const { kind, state, text, more = 0, file } = bubble;
	row.className = 'bubble';
	row.dataset.testid = 'bubble';
	row.dataset.kind = kind;
	row.dataset.state = state;
	row.replaceChildren();
	if (file) row.append(kind === 'picture' ? picture(file, text) : fileCard(file));
	if (text !== undefined) row.append(words(text, more));
	row.append(footer(bubble));
}

function words(text: string, more: number): HTMLElement {
	const paragraph = element('p', 'text', text);
	// Each message reads in its own direction, and cannot turn round what stands beside it.
	paragraph.dir = 'auto';
	if (more > 0) {
		paragraph.append('… ', element('em', '', `${more.toLocaleString()} more characters`));
	}
	return paragraph;
}

function footer({ state, at, until }: Bubble): HTMLElement {
	const time = element('time', '', timeOf(at));
	time.dateTime = at;
	const mark = icon(state);
	if (until === undefined) {
		return element('p', 'footer', time, mark, element('span', 'unseen', 'sent'));
	}
	const left = element('span', 'left', timeLeft(until));
	left.dataset.until = until;
	return element('p', 'footer', mark, element('span', '', 'waiting'), left, time);
}

function picture(file: BubbleFile, caption = ''): HTMLElement {
	if (file.bytes !== 'shown') return placeholder(file);
	const image = element('img', '');
	image.alt = caption || `Picture ${file.name}`;
	image.src = addressOf(file);
	const link = element('a', 'picture', image);
	link.href = addressOf(file);
	link.target = '_blank';
	link.rel = 'noopener';
	return link;
}

function placeholder(file: BubbleFile): HTMLElement {
	const why = file.bytes === 'gone' ? 'no longer kept' : 'not a picture that can be shown';
	const name = element('bdi', '', file.name);
	const details = element('span', 'details', `${sizeOf(file.size)}, ${why}`);
	return element('div', 'placeholder', icon('picture'), name, details);
}

function fileCard(file: BubbleFile): HTMLElement {
	const kept = file.bytes !== 'gone';
	const name = element('bdi', 'name', file.name);
	const size = sizeOf(file.size);
	const details = element('span', 'details', kept ? size : `${size}, no longer kept`);
	const parts = [icon('file'), element('span', 'file-words', name, details)];
	if (!kept) return element('div', 'file', ...parts);
	const link = element('a', 'file', ...parts, icon('download'));
	link.href = addressOf(file);
	link.download = file.name;
	return link;
}

function addressOf({ sha256 }: BubbleFile): string {
	return `/_sandbox/phone/files/${sha256}`;
}
