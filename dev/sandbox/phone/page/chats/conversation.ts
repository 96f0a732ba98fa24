import type { Bubble, PhoneView } from '../../view';
import { byId } from '../base/elements';
import { formatDay, formatTimeLeft } from '../base/format';
import { updateList } from '../base/keyedList';
import { type Day, fillBubble, fillDay, type ShownBubble } from './bubble';
import { avatar, chatSubtitle, chatTitle, recipientSubtitle, recipientTitle } from './chatNames';

const log = byId('log');
const bubbles = byId('bubbles');
const earlier = byId<HTMLButtonElement>('earlier');
const toLatest = byId<HTMLButtonElement>('to-latest');
const asRecipient = byId<HTMLButtonElement>('as-recipient');

/** Within this distance of the end, the page scrolls to new messages. */
const NEAR_END_PX = 60;

let shown: PhoneView | undefined;
let shownChat: string | undefined;
let isReceived = false;
let isAtEnd = true;
let lastTop = 0;
/** The scroll position before earlier messages load. It counts from the end, because they are inserted above. */
let savedFromEnd: number | undefined;

export function showConversation(view: PhoneView): void {
	const { open } = view;
	shown = view;
	byId('no-chat').hidden = open !== undefined;
	byId('chat-head').hidden = open === undefined;
	log.hidden = open === undefined;
	if (open?.id !== shownChat) {
		shownChat = open?.id;
		isAtEnd = true;
		bubbles.replaceChildren();
	}
	if (!open) return;

	byId('chat-avatar').replaceChildren(avatar(open));
	byId('chat-title').textContent = isReceived ? recipientTitle(open) : chatTitle(open);
	byId('chat-subtitle').textContent = isReceived ? recipientSubtitle(open) : chatSubtitle(open);
	earlier.hidden = open.count <= open.bubbles.length;
	updateList(bubbles, withDays(open.bubbles.flatMap(shownBubble)), (row, item) =>
		'day' in item ? fillDay(row, item) : fillBubble(row, item),
	);
	restorePosition();
	scrollToEnd();
}

/** Returns the bubble, or nothing for a deferred message in the recipient's view. */
function shownBubble(bubble: Bubble): ShownBubble[] {
	return isReceived && bubble.state === 'deferred' ? [] : [{ ...bubble, isReceived }];
}

function withDays(list: ShownBubble[]): Array<ShownBubble | Day> {
	let last = '';
	return list.flatMap((bubble) => {
		const day = formatDay(bubble.at);
		if (day === last) return [bubble];
		last = day;
		return [{ id: `day ${day}`, day }, bubble];
	});
}

function restorePosition(): void {
	if (savedFromEnd === undefined) return;
	log.scrollTop = log.scrollHeight - savedFromEnd;
	savedFromEnd = undefined;
}

function scrollToEnd(): void {
	if (isAtEnd) log.scrollTop = log.scrollHeight;
	toLatest.hidden = isAtEnd || log.hidden;
}

log.addEventListener('scroll', () => {
	const fromEnd = log.scrollHeight - log.scrollTop - log.clientHeight;
	// A loading image also increases the distance to the end. Only scrolling up means that the user has left the end.
	if (fromEnd < NEAR_END_PX) isAtEnd = true;
	else if (log.scrollTop < lastTop) isAtEnd = false;
	lastTop = log.scrollTop;
	toLatest.hidden = isAtEnd;
});
earlier.addEventListener('click', () => (savedFromEnd = log.scrollHeight - log.scrollTop));
toLatest.addEventListener('click', () => {
	isAtEnd = true;
	scrollToEnd();
	log.focus({ preventScroll: true });
});
asRecipient.addEventListener('click', () => {
	isReceived = !isReceived;
	asRecipient.setAttribute('aria-pressed', String(isReceived));
	if (shown) showConversation(shown);
});
// A loaded image changes the height.
new ResizeObserver(scrollToEnd).observe(bubbles);

setInterval(() => {
	for (const left of bubbles.querySelectorAll<HTMLElement>('[data-until]')) {
		left.textContent = formatTimeLeft(left.dataset.until ?? '');
	}
}, 1_000);
