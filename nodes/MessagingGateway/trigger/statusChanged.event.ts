import { upperCaseWords } from '../../../gateway/inputValues';
import type { TriggerEvent } from './event';
import { status } from './status';

interface Settings {
	from: string[];
	to: string[];
}

const matches = (statuses: string[], current: string) =>
	statuses.length === 0 || statuses.includes(current);

const eventJson = (current: string, previousStatus: string, now: number) => ({
	event: 'statusChanged',
	status: current,
	previousStatus,
	at: new Date(now).toISOString(),
});

export const statusChanged: TriggerEvent<string, { status: string }, Settings> = {
	...status,

	option: {
		name: 'Session Status Changed',
		value: 'statusChanged',
		description: 'Triggers when the session changes its status',
	},

	properties: [
		{
			displayName: 'From Statuses',
			name: 'fromStatuses',
			type: 'string',
			default: '',
			placeholder: 'e.g. ONLINE',
			description:
				'Only trigger for changes from these statuses, separated by commas. Leave empty for all.',
		},
		{
			displayName: 'To Statuses',
			name: 'toStatuses',
			type: 'string',
			default: '',
			placeholder: 'e.g. DISCONNECTED, AUTH_FAILURE',
			description:
				'Only trigger for changes to these statuses, separated by commas. Leave empty for all.',
		},
	],

	settings: (context) => ({
		from: upperCaseWords(context.getNodeParameter('fromStatuses', ''), 'From Statuses'),
		to: upperCaseWords(context.getNodeParameter('toStatuses', ''), 'To Statuses'),
	}),

	compare(before, current, { from, to }, now) {
		const state = { status: current };
		const previous = before?.status ?? current;
		if (previous === current) return { state, events: [], mustBeSaved: false };
		const isWanted = matches(from, previous) && matches(to, current);
		return {
			state,
			events: isWanted ? [eventJson(current, previous, now)] : [],
			mustBeSaved: true,
		};
	},

	sample(current, { from }, now) {
		const previous = [...from, 'DISCONNECTED', 'ONLINE'].find((word) => word !== current)!;
		return { ...eventJson(current, previous, now), isSample: true };
	},
};
