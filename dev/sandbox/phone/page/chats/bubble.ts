import type { Bubble } from '../../view';
import { element, icon } from '../base/elements';
import { formatSize, formatTime, formatTimeLeft } from '../base/format';
import { withoutMarks } from './chatNames';
import { openQuestion, questionLink, withoutLink } from './question';
import { textElements } from './textElements';
import { openViewer } from './viewer';

export interface Day {
	id: string;
	day: string;
}

/** A message as its sender or, with `isReceived`, as its recipient sees it. */
export interface ShownBubble extends Bubble {
	isReceived: boolean;
}

type BubbleFile = NonNullable<Bubble['file']>;

export function fillDay(row: HTMLElement, { day }: Day): void {
	row.className = 'day';
	row.replaceChildren(element('span', '', day));
}

export function fillBubble(row: HTMLElement, bubble: ShownBubble): void {
	const { kind, state, text, more = 0, file, isReceived } = bubble;
	const link = isReceived ? questionLink(text) : undefined;
	row.className = 'bubble';
	row.dataset.testid = 'bubble';
	row.dataset.kind = kind;
	row.dataset.state = state;
	row.dataset.received = String(isReceived);
	row.replaceChildren();
	if (file) row.append(kind === 'picture' ? image(file, text) : fileCard(file));
	if (text !== undefined) row.append(textParagraph(withoutLink(text, link), more));
	if (link !== undefined) row.append(openQuestion(link));
	row.append(footer(bubble));
}

function textParagraph(text: string, more: number): HTMLElement {
	const paragraph = element('p', 'text', ...textElements(text));
	// Right-to-left text must not change the direction of the page around it.
	paragraph.dir = 'auto';
	if (more > 0) {
		paragraph.append('… ', element('em', '', `${more.toLocaleString()} more characters`));
	}
	return paragraph;
}

function footer({ state, at, until, isReceived }: ShownBubble): HTMLElement {
	const time = element('time', '', formatTime(at));
	time.dateTime = at;
	if (isReceived) return element('p', 'footer', time);
	const mark = icon(state);
	if (until === undefined) {
		return element('p', 'footer', time, mark, element('span', 'visually-hidden', 'sent'));
	}
	const left = element('span', 'left', formatTimeLeft(until));
	left.dataset.until = until;
	return element('p', 'footer', mark, element('span', '', 'deferred'), left, time);
}

function image(file: BubbleFile, text = ''): HTMLElement {
	if (file.bytes !== 'shown') return placeholder(file);
	const caption = withoutMarks(text);
	const img = element('img', '');
	img.alt = caption || `Image ${file.name}`;
	img.src = fileUrl(file);
	const button = element('button', 'picture', img);
	button.type = 'button';
	button.addEventListener('click', () => openViewer(img.src, file.name, caption));
	return button;
}

function placeholder(file: BubbleFile): HTMLElement {
	const reason = file.bytes === 'gone' ? 'no longer available' : 'not a supported image';
	const name = element('bdi', '', file.name);
	const details = element('span', 'details', `${formatSize(file.size)}, ${reason}`);
	return element('div', 'placeholder', icon('picture'), name, details);
}

function fileCard(file: BubbleFile): HTMLElement {
	const isAvailable = file.bytes !== 'gone';
	const name = element('bdi', 'name', file.name);
	const size = formatSize(file.size);
	const details = element('span', 'details', isAvailable ? size : `${size}, no longer available`);
	const parts = [icon('file'), element('span', 'file-text', name, details)];
	if (!isAvailable) return element('div', 'file', ...parts);
	const link = element('a', 'file', ...parts, icon('download'));
	link.href = fileUrl(file);
	link.download = file.name;
	return link;
}

function fileUrl({ sha256 }: BubbleFile): string {
	return `/_sandbox/phone/files/${sha256}`;
}
