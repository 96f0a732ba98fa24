import type { Fault } from '../../fault';
import type { PhoneView } from '../view';
import { callControl } from './connection';
import { byId, element } from './elements';
import { updateList } from './keyedList';
import { reportFailure } from './notifications';

interface FaultButton {
	name: string;
	label: string;
	hint: string;
	fault: Fault;
}

const forNextRequest: FaultButton[] = [
	{
		name: '429',
		label: '429',
		hint: 'Retry-After: 3 s',
		fault: { times: 1, status: 429, retryAfter: 3 },
	},
	{ name: '500', label: '500', hint: 'Message not sent', fault: { times: 1, status: 500 } },
	{
		name: 'cut-before',
		label: 'Connection lost',
		hint: 'Message not sent',
		fault: { times: 1, cut: 'before' },
	},
	{
		name: 'cut-after',
		label: 'Connection lost',
		hint: 'Message sent',
		fault: { times: 1, cut: 'after' },
	},
];

const untilCleared: FaultButton[] = [
	{ name: 'slow', label: 'Slow', hint: '3 s delay', fault: { latencyMs: 3_000 } },
	{
		name: 'clock',
		label: 'Clock skew',
		hint: 'Gateway 10 min ahead',
		fault: { clockOffsetMs: 600_000 },
	},
];

const clear = byId<HTMLButtonElement>('fault-clear');

export function showFaults({ faults }: PhoneView): void {
	const lines = faults.map((line, index) => ({ id: String(index), line }));
	updateList(byId('active-faults'), lines, (row, { line }) => (row.textContent = line));
	byId('no-faults').hidden = faults.length > 0;
	clear.disabled = faults.length === 0;
}

/** Replaces the active faults: of two faults that match, only the first would apply. */
function button({ name, label, hint, fault }: FaultButton): HTMLButtonElement {
	const created = element('button', 'fault', label, element('span', 'hint', hint));
	created.type = 'button';
	created.dataset.testid = `fault-${name}`;
	created.addEventListener('click', () => reportFailure(callControl('POST', 'faults', fault)));
	return created;
}

byId('faults-once').append(...forNextRequest.map(button));
byId('faults-lasting').append(...untilCleared.map(button));
clear.addEventListener('click', () => reportFailure(callControl('DELETE', 'faults')));
