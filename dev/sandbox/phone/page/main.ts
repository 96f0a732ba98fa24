import type { PhoneView } from '../view';
import { Connection } from './base/connection';
import './base/dialogs';
import { byId } from './base/elements';
import { showChats } from './chats/chats';
import { showConversation } from './chats/conversation';
import { showGuide } from './guide/guide';
import { isPairingNeeded, showPairing } from './session/pairing';
import { showLostConnection, showSession } from './session/sessionBar';
import { showFaults } from './tools/faults';
import { onRequestLogToggle, showRequests } from './tools/requests';
import { onTabChange } from './tools/tabs';

const PAGE_SIZE = 100;

const phone = byId('phone');
const wide = matchMedia('(min-width: 45rem)');

// The open chat is in the URL, so that the back button closes it and a reload opens it again.
const openChat = () => location.hash.slice(1);
let chats = PAGE_SIZE;
let bubbles = PAGE_SIZE;
let guide = true;
let requests = false;

const connection = new Connection(show, showLostConnection);

function subscribe(): void {
	connection.subscribe({ chat: openChat(), chats, bubbles, guide, requests });
}

function show(view: PhoneView): void {
	const pairing = isPairingNeeded(view);
	phone.dataset.open = String(!pairing && view.open !== undefined);
	byId('pairing').hidden = !pairing;
	byId('chats').hidden = pairing;
	byId('conversation').hidden = pairing;

	showSession(view);
	showPairing(view);
	showChats(view, openChat());
	showConversation(view);
	showGuide(view);
	showFaults(view);
	showRequests(view);
	if (!pairing) openNewestChat(view);
}

/** Fills the empty pane of a wide screen with the newest chat, unless a chat is open. */
function openNewestChat({ open, chats: [newest] }: PhoneView): void {
	if (!open && newest && wide.matches) location.replace(`#${newest.id}`);
}

addEventListener('hashchange', () => {
	bubbles = PAGE_SIZE;
	subscribe();
});
byId('back').addEventListener('click', () => (location.hash = ''));
byId('more-chats').addEventListener('click', () => {
	chats += PAGE_SIZE;
	subscribe();
});
byId('earlier').addEventListener('click', () => {
	bubbles += PAGE_SIZE;
	subscribe();
});
onTabChange((tab) => {
	guide = tab === 'guide-tab';
	subscribe();
});
onRequestLogToggle((isOpen) => {
	requests = isOpen;
	subscribe();
});

subscribe();
