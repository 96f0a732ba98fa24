import type { PhoneView } from '../view';
import { showChats } from './chats';
import { Connection, control } from './connection';
import { showConversation } from './conversation';
import { byId } from './elements';
import { showFaults } from './faults';
import { trying } from './notice';
import { isForPairing, showPairing } from './pairing';
import { statusWords } from './words';

const SHOWN = 100;

const phone = byId('phone');
const status = byId('status');
const online = byId<HTMLInputElement>('online-switch');
const logOut = byId<HTMLButtonElement>('log-out');
const wide = matchMedia('(min-width: 45rem)');

// The open chat is in the address: so the back button closes it, and a reload finds it again.
const openChat = () => location.hash.slice(1);
let chats = SHOWN;
let bubbles = SHOWN;

const connection = new Connection(show, () => {
	status.textContent = 'The sandbox does not answer. Trying again…';
	phone.dataset.status = 'LOST';
});

function follow(): void {
	connection.follow({ chat: openChat(), chats, bubbles });
}

function show(view: PhoneView): void {
	const pairing = isForPairing(view);
	status.textContent = statusWords(view);
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
	if (!pairing) openNewest(view);
}

/** Beside an empty half nobody wants to look at a list. What one reads is not turned over, though. */
function openNewest({ open, chats: [newest] }: PhoneView): void {
	if (!open && newest && wide.matches) location.replace(`#${newest.id}`);
}

addEventListener('hashchange', () => {
	bubbles = SHOWN;
	follow();
});
byId('back').addEventListener('click', () => (location.hash = ''));
byId('more-chats').addEventListener('click', () => {
	chats += SHOWN;
	follow();
});
byId('earlier').addEventListener('click', () => {
	bubbles += SHOWN;
	follow();
});
online.addEventListener('change', () => {
	const wanted = { status: online.checked ? 'ONLINE' : 'DISCONNECTED' };
	const undo = () => (online.checked = !online.checked);
	trying(control('POST', 'status', wanted), undo);
});
logOut.addEventListener('click', () =>
	trying(control('POST', 'status', { status: 'AUTH_FAILURE' })),
);

follow();
