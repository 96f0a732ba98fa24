import type { PhoneView } from '../view';
import { control } from './connection';
import { byId } from './elements';
import { trying } from './notice';
import { many } from './words';

const title = byId('pairing-title');
const words = byId('pairing-words');
const waiting = byId('pairing-waiting');
const qr = byId<HTMLImageElement>('qr');
const scan = byId<HTMLButtonElement>('scan');

const told = {
	AWAITING_QR: {
		title: 'Pair this phone',
		words:
			'The camera sees the code that Session > Get QR Code gives in n8n. It is a new one every 20 seconds.',
	},
	DISCONNECTED: {
		title: 'Nothing to scan yet',
		words: 'Start the session first: in n8n, run Messaging Gateway with Session > Start.',
	},
	AUTH_FAILURE: {
		title: 'This phone is logged out',
		words: 'To pair it again, run Session > Start in n8n, then scan the new code here.',
	},
};

export function isForPairing({ status, paired }: PhoneView): boolean {
	return status !== 'ONLINE' && !(status === 'DISCONNECTED' && paired);
}

export function showPairing(view: PhoneView): void {
	if (view.status === 'ONLINE') return;
	const { title: what, words: how } = told[view.status];
	title.textContent = what;
	words.textContent = how;
	waiting.hidden = view.waiting === 0;
	waiting.textContent = `${many(view.waiting, 'message')} will arrive once it is online.`;
	showCode(view.qr);
	scan.disabled = view.qr === undefined;
}

function showCode(code: string | undefined): void {
	qr.hidden = code === undefined;
	byId('no-qr').classList.toggle('hidden', code !== undefined);
	// The drawing is always that of the code of the moment. The code in its address makes it a new picture.
	if (code !== undefined) qr.src = `/_sandbox/phone/qr.svg?${encodeURIComponent(code)}`;
	else qr.removeAttribute('src');
}

scan.addEventListener('click', () => trying(control('POST', 'scan')));
