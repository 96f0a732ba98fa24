import type { PhoneView } from '../../view';
import { callControl } from '../base/connection';
import { byId } from '../base/elements';
import { reportFailure } from '../base/notifications';
import { isPairingNeeded } from './pairing';

const phone = byId('phone');
const status = byId('status');
const online = byId<HTMLInputElement>('online-switch');
const logOut = byId<HTMLButtonElement>('log-out');

export function showSession(view: PhoneView): void {
	showStatus(statusLabel(view), view.status);
	byId('online').hidden = isPairingNeeded(view);
	byId('offline').hidden = view.status !== 'DISCONNECTED';
	online.checked = view.status === 'ONLINE';
	logOut.disabled = isPairingNeeded(view);
}

export function showLostConnection(): void {
	showStatus('The sandbox is not responding. Reconnecting…', 'LOST');
}

function showStatus(text: string, value: PhoneView['status'] | 'LOST'): void {
	status.textContent = text;
	phone.dataset.status = value;
}

function statusLabel({ status, paired }: PhoneView): string {
	if (status === 'ONLINE') return 'Online';
	if (status === 'AWAITING_QR') return 'Waiting for a scan';
	if (status === 'AUTH_FAILURE') return 'Logged out';
	return paired ? 'Offline' : 'Session not started';
}

online.addEventListener('change', () => {
	const body = { status: online.checked ? 'ONLINE' : 'DISCONNECTED' };
	const undo = () => (online.checked = !online.checked);
	reportFailure(callControl('POST', 'status', body), undo);
});
logOut.addEventListener('click', () =>
	reportFailure(callControl('POST', 'status', { status: 'AUTH_FAILURE' })),
);
