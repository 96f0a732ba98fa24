import { type INodeProperties, updateDisplayOptions } from 'n8n-workflow';

import { wordsIn } from '../enteredValues';
import { status } from './status';
import type { Kind } from './kind';

export const properties: INodeProperties[] = updateDisplayOptions(
	{ show: { event: ['statusChanged'] } },
	[
		{
			displayName: 'From Statuses',
			name: 'fromStatuses',
			type: 'string',
			default: '',
			placeholder: 'e.g. ONLINE',
			description:
				'Tell only of changes away from these statuses; several with commas. Leave empty for any.',
		},
		{
			displayName: 'To Statuses',
			name: 'toStatuses',
			type: 'string',
			default: '',
			placeholder: 'e.g. DISCONNECTED, AUTH_FAILURE',
			description:
				'Tell only of changes to these statuses; several with commas. Leave empty for any.',
		},
	],
);

interface Settings {
	from: string[];
	to: string[];
}

const isAmong = (statuses: string[], one: string) =>
	statuses.length === 0 || statuses.includes(one);

const event = (current: string, previousStatus: string, now: number) => ({
	event: 'statusChanged',
	status: current,
	previousStatus,
	at: new Date(now).toISOString(),
});

export const statusChanged: Kind<string, { status: string }, Settings> = {
	...status,

	settings: (context) => ({
		from: wordsIn(context.getNodeParameter('fromStatuses', ''), 'From Statuses'),
		to: wordsIn(context.getNodeParameter('toStatuses', ''), 'To Statuses'),
	}),

	step(before, current, { from, to }, now) {
		const state = { status: current };
		const previous = before?.status ?? current;
		if (previous === current) return { state, events: [], mustBeSaved: false };
		const isWanted = isAmong(from, previous) && isAmong(to, current);
		return {
			state,
			events: isWanted ? [event(current, previous, now)] : [],
			mustBeSaved: true,
		};
	},

	example(current, { from }, now) {
		const previous = [...from, 'DISCONNECTED', 'ONLINE'].find((one) => one !== current)!;
		return { ...event(current, previous, now), isSample: true };
	},
};
