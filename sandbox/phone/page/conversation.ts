import type { Bubble, PhoneView } from '../view';
import { avatar } from './avatar';
import { type Day, fillBubble, fillDay } from './bubble';
import { byId } from './elements';
import { showList } from './keyedList';
import { chatSubtitle, chatTitle, dayOf, timeLeft } from './words';

const log = byId('log');
const bubbles = byId('bubbles');
const earlier = byId<HTMLButtonElement>('earlier');
const toNewest = byId<HTMLButtonElement>('to-newest');

/** Within so many pixels of the end one is at the end, and stays there when something arrives. */
const NEAR_END = 60;

let shownChat: string | undefined;
let followsEnd = true;
let lastTop = 0;
/** Where one was before earlier messages were asked for, measured from the end: they come in above. */
let placeFromEnd: number | undefined;

export function showConversation({ open }: PhoneView): void {
	byId('no-chat').hidden = open !== undefined;
	byId('chat-head').hidden = open === undefined;
	log.hidden = open === undefined;
	if (open?.id !== shownChat) {
		shownChat = open?.id;
		followsEnd = true;
		bubbles.replaceChildren();
	}
	if (!open) return;

	byId('chat-avatar').replaceChildren(avatar(open));
	byId('chat-title').textContent = chatTitle(open);
	byId('chat-subtitle').textContent = chatSubtitle(open);
	earlier.hidden = open.count <= open.bubbles.length;
	showList(bubbles, withDays(open.bubbles), (row, item) =>
		'day' in item ? fillDay(row, item) : fillBubble(row, item),
	);
	keepPlace();
	keepAtEnd();
}

function withDays(list: Bubble[]): Array<Bubble | Day> {
	let last = '';
	return list.flatMap((bubble) => {
		const day = dayOf(bubble.at);
		if (day === last) return [bubble];
		last = day;
		return [{ id: `day ${day}`, day }, bubble];
	});
}

function keepPlace(): void {
	if (placeFromEnd === undefined) return;
	log.scrollTop = log.scrollHeight - placeFromEnd;
	placeFromEnd = undefined;
}

function keepAtEnd(): void {
	if (followsEnd) log.scrollTop = log.scrollHeight;
	toNewest.hidden = followsEnd || log.hidden;
}

log.addEventListener('scroll', () => {
	const fromEnd = log.scrollHeight - log.scrollTop - log.clientHeight;
	// Pictures that arrive push the end away, too: only who moves up wants to stay there.
	if (fromEnd < NEAR_END) followsEnd = true;
	else if (log.scrollTop < lastTop) followsEnd = false;
	lastTop = log.scrollTop;
	toNewest.hidden = followsEnd;
});
earlier.addEventListener('click', () => (placeFromEnd = log.scrollHeight - log.scrollTop));
toNewest.addEventListener('click', () => {
	followsEnd = true;
	keepAtEnd();
	log.focus({ preventScroll: true });
});
// A picture takes its room only when it has arrived.
new ResizeObserver(keepAtEnd).observe(bubbles);

setInterval(() => {
	for (const left of bubbles.querySelectorAll<HTMLElement>('[data-until]')) {
		left.textContent = timeLeft(left.dataset.until ?? '');
	}
}, 1_000);
