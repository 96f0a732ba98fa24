import type { Fault } from '../../fault';
import type { PhoneView } from '../view';
import { control } from './connection';
import { byId, element } from './elements';
import { showList } from './keyedList';
import { trying } from './notice';

interface Choice {
	name: string;
	label: string;
	hint: string;
	fault: Fault;
}

const forTheNext: Choice[] = [
	{
		name: '429',
		label: '429',
		hint: 'Retry-After 3 s',
		fault: { times: 1, status: 429, retryAfter: 3 },
	},
	{ name: '500', label: '500', hint: 'Not sent', fault: { times: 1, status: 500 } },
	{
		name: 'cut-before',
		label: 'Cut before',
		hint: 'Not sent',
		fault: { times: 1, cut: 'before' },
	},
	{
		name: 'cut-after',
		label: 'Cut after',
		hint: 'But it is sent',
		fault: { times: 1, cut: 'after' },
	},
];

const untilCleared: Choice[] = [
	{ name: 'slow', label: 'Slow', hint: 'Answers 3 s late', fault: { latencyMs: 3_000 } },
	{
		name: 'clock',
		label: 'Clock off',
		hint: '10 min ahead',
		fault: { clockOffsetMs: 600_000 },
	},
];

const clear = byId<HTMLButtonElement>('fault-clear');

export function showFaults({ faults }: PhoneView): void {
	const lines = faults.map((line, place) => ({ id: String(place), line }));
	showList(byId('in-force'), lines, (row, { line }) => (row.textContent = line));
	byId('no-faults').hidden = faults.length > 0;
	clear.disabled = faults.length === 0;
}

/** What was pressed last is what is in force: two at once would hide one another. */
function button({ name, label, hint, fault }: Choice): HTMLButtonElement {
	const made = element('button', 'fault', label, element('span', 'hint', hint));
	made.type = 'button';
	made.dataset.testid = `fault-${name}`;
	made.addEventListener('click', () => trying(control('POST', 'faults', fault)));
	return made;
}

byId('faults-once').append(...forTheNext.map(button));
byId('faults-lasting').append(...untilCleared.map(button));
clear.addEventListener('click', () => trying(control('DELETE', 'faults')));
