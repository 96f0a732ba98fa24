import type { Chat, PhoneView } from '../view';
import { avatar, byId, element, icon } from './elements';
import { chatTitle, formatTimeOrDay, preview } from './format';
import { updateList } from './keyedList';
import { announce } from './notifications';

const list = byId('chat-list');
const more = byId<HTMLButtonElement>('more-chats');

/** The time of the newest seen message per chat. Messages of the first view count as seen. */
const seen = new Map<string, string>();
let seenInitially: string | undefined;
let newest = '';

interface Row extends Chat {
	open: boolean;
	unread: boolean;
}

export function showChats(view: PhoneView, open: string): void {
	seenInitially ??= view.chats[0]?.last.at ?? '';
	announceArrivals(view.chats, open);
	const rows = view.chats.map((chat): Row => {
		const isOpen = chat.id === open;
		if (isOpen && !document.hidden) seen.set(chat.id, chat.last.at);
		const unread = chat.last.at > (seen.get(chat.id) ?? seenInitially ?? '');
		return { ...chat, open: isOpen, unread };
	});
	updateList(list, rows, fillChat);
	more.hidden = view.chatCount <= view.chats.length;
	byId('no-chats').hidden = view.chatCount > 0;
	updateTabStop();
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
	button.dataset.unread = String(chat.unread);

	const { last } = chat;
	const count = element('span', 'count', chat.count.toLocaleString());
	count.title = chat.unread ? 'Messages, including unread ones' : 'Messages';
	const lastText = element('bdi', 'preview', preview(last));
	const hasIcon = last.state === 'deferred' || last.kind !== 'text';
	const iconName =
		last.state === 'deferred' ? 'deferred' : last.kind === 'picture' ? 'picture' : 'file';
	button.replaceChildren(
		button.firstElementChild ?? '',
		element('span', 'chat-title', chatTitle(chat)),
		element('time', 'chat-time', formatTimeOrDay(last.at)),
		element('span', 'chat-last', ...(hasIcon ? [icon(iconName)] : []), lastText),
		count,
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

/** The Tab key stops once in the list. The arrow keys move inside it. */
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
