import type { RequestLine } from '../../requestLine';
import type { PhoneView } from '../../view';
import { byId, element } from '../base/elements';
import { formatTimeWithSeconds, plural } from '../base/format';
import { updateList } from '../base/keyedList';
import { chatTitle } from '../chats/chatNames';

const dialog = byId<HTMLDialogElement>('requests');

export function showRequests({ requests }: PhoneView): void {
	if (!requests) return;
	updateList(byId('request-list'), requests, fillRequest);
	byId('no-requests').hidden = requests.length > 0;
}

/** Reports whether the request log is open, because the sandbox sends requests only while the page shows them. */
export function onRequestLogToggle(listener: (isOpen: boolean) => void): void {
	byId('requests-button').addEventListener('click', () => {
		dialog.showModal();
		listener(true);
	});
	dialog.addEventListener('close', () => listener(false));
}

function fillRequest(row: HTMLElement, line: RequestLine): void {
	const { at, method, path, to, count, isSigned, outcome, isAccepted, reason } = line;
	const time = element('time', 'request-time', formatTimeWithSeconds(at));
	time.dateTime = at;
	const result = element('span', 'request-status', resultOf(line));
	row.className = 'request';
	row.dataset.testid = 'request';
	row.dataset.result = outcome === 'pending' ? 'pending' : isAccepted ? 'accepted' : 'rejected';
	row.replaceChildren(
		result,
		element(
			'span',
			'request-line',
			element('b', '', method),
			' ',
			element('bdi', '', path),
			...(to ? [' to ', element('b', '', chatTitle(to))] : []),
			...(isSigned ? [' ', element('span', 'request-mark', 'Signed')] : []),
			...(count > 1 ? [' ', element('span', 'request-mark', plural(count, 'time'))] : []),
		),
		time,
		...(reason === null ? [] : [element('p', 'request-reason', reason)]),
	);
}

function resultOf({ outcome, status }: RequestLine): string {
	if (outcome === 'pending') return '…';
	if (outcome === 'cut') return 'Cut';
	return status === null ? 'Client left' : String(status);
}
