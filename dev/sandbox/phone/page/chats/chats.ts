import type { Chat, PhoneView } from '../../view';
import { byId, element, icon } from '../base/elements';
import { formatTimeOrDay } from '../base/format';
import { updateList } from '../base/keyedList';
import { announce } from '../base/notifications';
import { avatar, chatTitle, preview } from './chatNames';

const list = byId('chat-list');
const more = byId<HTMLButtonElement>('more-chats');

/** The number of read messages of each chat. All messages of the first view count as read. */
const read = new Map<string, number>();
let isFirstView = true;
/** Whether the first view left out older chats. */
let hadMoreChats = false;
let newest = '';

interface Row extends Chat {
	open: boolean;
	unread: number;
	/** The time or day of the last message. It is part of the row so that the row changes on the next day. */
	time: string;
}

export function showChats(view: PhoneView, open: string): void {
	countRead(view, open);
	announceArrivals(view.chats, open);
	const rows = view.chats.map((chat): Row => {
		const unread = chat.count - (read.get(chat.id) ?? 0);
		return { ...chat, open: chat.id === open, unread, time: formatTimeOrDay(chat.last.at) };
	});
	updateList(list, rows, fillChat);
	more.hidden = view.chatCount <= view.chats.length;
	byId('no-chats').hidden = view.chatCount > 0;
	updateTabStop();
}

function countRead({ chats, chatCount }: PhoneView, open: string): void {
	if (isFirstView) hadMoreChats = chatCount > chats.length;
	// A reset of the sandbox removes all chats.
	if (chats.length === 0) read.clear();
	for (const { id, count, last } of chats) {
		const isRead = isFirstView || (id === open && !document.hidden);
		// A chat that was not in the first view may be old. If its last message is new, only that message counts as unread.
		const readBefore = hadMoreChats ? (last.at > newest ? count - 1 : count) : 0;
		read.set(id, isRead ? count : Math.min(read.get(id) ?? readBefore, count));
	}
	isFirstView = false;
}

function announceArrivals(chats: Chat[], open: string): void {
	const isFirst = newest === '';
	const arrived = chats.filter(({ last }) => last.at > newest);
	newest = arrived.reduce(
		(latest, { last }) => (last.at > latest ? last.at : latest),
		newest || ' ',
	);
	if (isFirst) return;
	for (const chat of arrived) {
		const where = chat.id === open ? '' : ` in ${chatTitle(chat)}`;
		announce(`New message${where}: ${preview(chat.last)}`);
	}
}

function fillChat(row: HTMLElement, chat: Row): void {
	const button = row.querySelector('button') ?? createButton(row, chat);
	if (chat.open) button.setAttribute('aria-current', 'true');
	else button.removeAttribute('aria-current');
	button.dataset.unread = String(chat.unread > 0);

	const { last } = chat;
	const count = element('span', 'count', chat.unread.toLocaleString());
	count.append(element('span', 'visually-hidden', ' unread'));
	const lastText = element('bdi', 'preview', preview(last));
	const hasIcon = last.state === 'deferred' || last.kind !== 'text';
	const iconName =
		last.state === 'deferred' ? 'deferred' : last.kind === 'picture' ? 'picture' : 'file';
	button.replaceChildren(
		button.firstElementChild ?? '',
		element('span', 'chat-title', chatTitle(chat)),
		element('time', 'chat-time', chat.time),
		element('span', 'chat-last', ...(hasIcon ? [icon(iconName)] : []), lastText),
		...(chat.unread > 0 ? [count] : []),
	);
}

function createButton(row: HTMLElement, chat: Chat): HTMLButtonElement {
	const button = element('button', 'chat', avatar(chat));
	button.type = 'button';
	button.dataset.testid = `chat-${chat.id}`;
	button.addEventListener('click', () => (location.hash = chat.id));
	row.append(button);
	return button;
}

/** Makes the Tab key stop only once in the list. The arrow keys move inside it. */
function updateTabStop(): void {
	const buttons = buttonsInOrder();
	const tabStop =
		buttons.find((button) => button === document.activeElement) ??
		buttons.find((button) => button.getAttribute('aria-current') === 'true') ??
		buttons[0];
	for (const button of buttons) button.tabIndex = button === tabStop ? 0 : -1;
}

function buttonsInOrder(): HTMLButtonElement[] {
	return [...list.querySelectorAll('button')];
}

list.addEventListener('focusin', updateTabStop);
list.addEventListener('keydown', (event) => {
	const buttons = buttonsInOrder();
	const current = buttons.findIndex((button) => button === document.activeElement);
	const targets: Record<string, number> = {
		ArrowDown: current + 1,
		ArrowUp: current - 1,
		Home: 0,
		End: buttons.length - 1,
	};
	const target = targets[event.key];
	if (target === undefined) return;
	event.preventDefault();
	buttons[target]?.focus();
});
