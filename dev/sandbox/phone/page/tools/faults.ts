import type { Fault } from '../../../faults/fault';
import { describeFault } from '../../../faults/faultDescription';
import type { PhoneView } from '../../view';
import { callControl } from '../base/connection';
import { byId, element } from '../base/elements';
import { updateList } from '../base/keyedList';
import { reportFailure } from '../base/notifications';

interface FaultButton {
	name: string;
	label: string;
	hint: string;
	fault: Fault;
}

/** Applies to messages only. Polls and status checks of n8n would use up the fault before the user sends a message. */
const NEXT_MESSAGE = { endpoint: 'message', times: 1 } as const;

const forNextMessage: FaultButton[] = [
	{
		name: '429',
		label: '429',
		hint: 'Retry-After: 3 s',
		fault: { ...NEXT_MESSAGE, status: 429, retryAfter: 3 },
	},
	{ name: '500', label: '500', hint: 'Message not sent', fault: { ...NEXT_MESSAGE, status: 500 } },
	{
		name: 'cut-before',
		label: 'Connection lost',
		hint: 'Message not sent',
		fault: { ...NEXT_MESSAGE, cut: 'before' },
	},
	{
		name: 'cut-after',
		label: 'Connection lost',
		hint: 'Message sent',
		fault: { ...NEXT_MESSAGE, cut: 'after' },
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
const buttons = new Map<HTMLButtonElement, FaultButton>();

export function showFaults({ faults }: PhoneView): void {
	const lines = faults.map((line, index) => ({ id: String(index), line }));
	updateList(byId('active-faults'), lines, (row, { line }) => (row.textContent = line));
	byId('faults-hint').textContent = hintFor(faults.length);
	clear.disabled = faults.length === 0;
	for (const [armable, { fault }] of buttons) {
		armable.setAttribute('aria-pressed', String(faults.some((line) => describes(line, fault))));
	}
}

function hintFor(count: number): string {
	if (count === 0) return 'None. Requests get normal responses.';
	return `Another fault replaces ${count === 1 ? 'it' : 'them'}.`;
}

/** Returns whether a line describes the fault. The line of an active fault may also end with how often it still applies. */
function describes(line: string, fault: Fault): boolean {
	const description = describeFault(fault);
	return line === description || line.startsWith(`${description} · `);
}

/** Creates a button whose fault replaces the active ones, because only the first of several matching faults applies. */
function button(definition: FaultButton): HTMLButtonElement {
	const { name, label, hint, fault } = definition;
	const created = element('button', 'fault', label, element('span', 'hint', hint));
	created.type = 'button';
	created.dataset.testid = `fault-${name}`;
	created.addEventListener('click', () => {
		const isArmed = created.getAttribute('aria-pressed') === 'true';
		reportFailure(isArmed ? callControl('DELETE', 'faults') : callControl('POST', 'faults', fault));
	});
	buttons.set(created, definition);
	return created;
}

byId('faults-once').append(...forNextMessage.map(button));
byId('faults-lasting').append(...untilCleared.map(button));
clear.addEventListener('click', () => reportFailure(callControl('DELETE', 'faults')));
