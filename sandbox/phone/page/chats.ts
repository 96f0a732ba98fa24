import type { Chat, PhoneView } from '../view';
import { announce } from './announcement';
import { avatar } from './avatar';
import { byId, element, icon } from './elements';
import { showList } from './keyedList';
import { chatTitle, preview, timeOrDay } from './words';

const list = byId('chat-list');
const more = byId<HTMLButtonElement>('more-chats');

/** When the newest message of a chat that was looked at came in. What was there at first counts as seen. */
const seen = new Map<string, string>();
let seenAtFirst: string | undefined;
let newest = '';

interface Row extends Chat {
	open: boolean;
	news: boolean;
}

export function showChats(view: PhoneView, open: string): void {
	seenAtFirst ??= view.chats[0]?.last.at ?? '';
	announceArrivals(view.chats, open);
	const rows = view.chats.map((chat): Row => {
		const isOpen = chat.id === open;
		if (isOpen && !document.hidden) seen.set(chat.id, chat.last.at);
		const news = chat.last.at > (seen.get(chat.id) ?? seenAtFirst ?? '');
		return { ...chat, open: isOpen, news };
	});
	showList(list, rows, fillChat);
	more.hidden = view.chatCount <= view.chats.length;
	byId('no-chats').hidden = view.chatCount > 0;
	letOneTakeTheTab();
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
	const button = row.querySelector('button') ?? emptyRow(row, chat);
	if (chat.open) button.setAttribute('aria-current', 'true');
	else button.removeAttribute('aria-current');
	button.dataset.news = String(chat.news);

	const { last } = chat;
	const count = element('span', 'count', chat.count.toLocaleString());
	count.title = chat.news ? 'Messages, with new ones' : 'Messages';
	const said = element('bdi', 'preview', preview(last));
	const mark = last.state === 'deferred' || last.kind !== 'text';
	const kind =
		last.state === 'deferred' ? 'deferred' : last.kind === 'picture' ? 'picture' : 'file';
	button.replaceChildren(
		button.firstElementChild ?? '',
		element('span', 'chat-title', chatTitle(chat)),
		element('time', 'chat-time', timeOrDay(last.at)),
		element('span', 'chat-last', ...(mark ? [icon(kind)] : []), said),
		count,
	);
}

function emptyRow(row: HTMLElement, chat: Chat): HTMLButtonElement {
	const button = element('button', 'chat', avatar(chat));
	button.type = 'button';
	button.dataset.testid = `chat-${chat.id}`;
	button.addEventListener('click', () => (location.hash = chat.id));
	row.append(button);
	return button;
}

/** The list is one stop of the Tab key; inside of it the arrow keys move. */
function letOneTakeTheTab(): void {
	const buttons = buttonsInOrder();
	const taker =
		buttons.find((button) => button === document.activeElement) ??
		buttons.find((button) => button.getAttribute('aria-current') === 'true') ??
		buttons[0];
	for (const button of buttons) button.tabIndex = button === taker ? 0 : -1;
}

function buttonsInOrder(): HTMLButtonElement[] {
	return [...list.querySelectorAll('button')];
}

list.addEventListener('focusin', letOneTakeTheTab);
list.addEventListener('keydown', (event) => {
	const buttons = buttonsInOrder();
	const at = buttons.findIndex((button) => button === document.activeElement);
	const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: buttons.length - 1 }[event.key];
	if (to === undefined) return;
	event.preventDefault();
	buttons[to]?.focus();
});
