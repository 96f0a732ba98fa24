import type { PhoneView } from '../view';
import { showChats } from './chats';
import { callControl, Connection } from './connection';
import { showConversation } from './conversation';
import './dialogs';
import { byId } from './elements';
import { showFaults } from './faults';
import { statusLabel } from './format';
import { reportFailure } from './notifications';
import { onRequestLogToggle, showRequests } from './requests';
import { isPairingNeeded, showPairing } from './pairing';

const PAGE_SIZE = 100;

const phone = byId('phone');
const status = byId('status');
const online = byId<HTMLInputElement>('online-switch');
const logOut = byId<HTMLButtonElement>('log-out');
const wide = matchMedia('(min-width: 45rem)');

// The open chat is in the URL, so that the back button closes it and a reload opens it again.
const openChat = () => location.hash.slice(1);
let chats = PAGE_SIZE;
let bubbles = PAGE_SIZE;
let requests = false;

const connection = new Connection(show, () => {
	status.textContent = 'The sandbox is not responding. Reconnecting…';
	phone.dataset.status = 'LOST';
});

function subscribe(): void {
	connection.subscribe({ chat: openChat(), chats, bubbles, requests });
}

function show(view: PhoneView): void {
	const pairing = isPairingNeeded(view);
	status.textContent = statusLabel(view);
	phone.dataset.status = view.status;
	phone.dataset.open = String(!pairing && view.open !== undefined);
	byId('pairing').hidden = !pairing;
	byId('chats').hidden = pairing;
	byId('conversation').hidden = pairing;
	byId('online').hidden = pairing;
	byId('offline').hidden = view.status !== 'DISCONNECTED';
	online.checked = view.status === 'ONLINE';
	logOut.disabled = pairing;

	showPairing(view);
	showChats(view, openChat());
	showConversation(view);
	showFaults(view);
	showRequests(view);
	if (!pairing) openNewestChat(view);
}

/** Fills the empty pane of a wide screen. Does not replace a chat that is open. */
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
onRequestLogToggle((isOpen) => {
	requests = isOpen;
	subscribe();
});
online.addEventListener('change', () => {
	const body = { status: online.checked ? 'ONLINE' : 'DISCONNECTED' };
	const undo = () => (online.checked = !online.checked);
	reportFailure(callControl('POST', 'status', body), undo);
});
logOut.addEventListener('click', () =>
	reportFailure(callControl('POST', 'status', { status: 'AUTH_FAILURE' })),
);

subscribe();
