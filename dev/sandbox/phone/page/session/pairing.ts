import type { PhoneView } from '../../view';
import { callControl } from '../base/connection';
import { byId } from '../base/elements';
import { plural } from '../base/format';
import { reportFailure } from '../base/notifications';

const title = byId('pairing-title');
const instructions = byId('pairing-text');
const waiting = byId('pairing-waiting');
const qr = byId<HTMLImageElement>('qr');
const scan = byId<HTMLButtonElement>('scan');
const pairLink = byId<HTMLAnchorElement>('pair-link');

const texts = {
	AWAITING_QR: {
		title: 'Pair this phone',
		instructions:
			'This is the QR code that n8n gets from the gateway. Click Scan to pair. The code changes every 20 seconds.',
	},
	DISCONNECTED: {
		title: 'No QR code yet',
		instructions: 'In n8n, run the Messaging Gateway node with Session > Start.',
		link: 'Pair it with example 3',
		linkInstructions: 'Example 3 in n8n shows a QR code. Then come back and click Scan here.',
	},
	AUTH_FAILURE: {
		title: 'This phone is logged out',
		instructions:
			'To pair it again, run Session > Start or example 3 in n8n. Then scan the new code here.',
		link: 'Pair it again with example 3',
		linkInstructions: 'Example 3 in n8n shows a new QR code. Then come back and click Scan here.',
	},
};

export function isPairingNeeded({ status, paired }: PhoneView): boolean {
	return status !== 'ONLINE' && !(status === 'DISCONNECTED' && paired);
}

export function showPairing(view: PhoneView): void {
	if (view.status === 'ONLINE') return;
	title.textContent = texts[view.status].title;
	showInstructions(view);
	waiting.hidden = view.waiting === 0;
	waiting.textContent = `${plural(view.waiting, 'message')} will be delivered when the phone is online.`;
	showQrCode(view.qr);
	scan.disabled = view.qr === undefined;
}

function showInstructions({ status, pairingUrl }: PhoneView): void {
	if (status === 'ONLINE') return;
	const text = texts[status];
	const hasLink = pairingUrl !== undefined && 'link' in text;
	instructions.textContent = hasLink ? text.linkInstructions : text.instructions;
	pairLink.hidden = !hasLink;
	scan.hidden = hasLink;
	if (!hasLink) return;
	pairLink.textContent = text.link;
	pairLink.href = pairingUrl;
}

function showQrCode(code: string | undefined): void {
	qr.hidden = code === undefined;
	// An SVG element has no property `hidden`, only the attribute.
	byId('no-qr').toggleAttribute('hidden', code !== undefined);
	// The URL always returns the current code. The query makes the browser load a new code.
	if (code !== undefined) qr.src = `/_sandbox/phone/qr.svg?${encodeURIComponent(code)}`;
	else qr.removeAttribute('src');
}

scan.addEventListener('click', () => reportFailure(callControl('POST', 'scan')));
