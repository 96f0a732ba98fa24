import { upperCaseWords } from '../../../gateway/inputValues';
import { statusWord } from '../../../gateway/replies/sessionStatus';
import type { TriggerEvent } from './event';
import { status } from './status';

interface Settings {
	from: string[];
	to: string[];
}

/** The statuses of the API document. */
const statuses = ['AUTH_FAILURE', 'AWAITING_QR', 'DISCONNECTED', 'ONLINE'].map((status) => ({
	name: status,
	value: status,
}));

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
			type: 'multiOptions',
			options: statuses,
			default: [],
			description: 'Only trigger for changes from these statuses. Select none for all.',
		},
		{
			displayName: 'To Statuses',
			name: 'toStatuses',
			type: 'multiOptions',
			options: statuses,
			default: [],
			description: 'Only trigger for changes to these statuses. Select none for all.',
		},
		{
			displayName: 'Options',
			name: 'options',
			type: 'collection',
			placeholder: 'Add option',
			default: {},
			options: [
				{
					displayName: 'Other From Statuses',
					name: 'otherFromStatuses',
					type: 'string',
					default: '',
					placeholder: 'e.g. CONNECTED',
					description:
						'Statuses of your gateway that are not in the list of From Statuses, separated by commas',
				},
				{
					displayName: 'Other To Statuses',
					name: 'otherToStatuses',
					type: 'string',
					default: '',
					placeholder: 'e.g. RESTARTING, BANNED',
					description:
						'Statuses of your gateway that are not in the list of To Statuses, separated by commas',
				},
			],
		},
	],

	/** A status that the user entered counts, whatever form it has. */
	read: (response, { from, to }) => statusWord(response, [...from, ...to]),

	settings(context) {
		const words = (name: string, label: string) =>
			upperCaseWords(context.getNodeParameter(name, ''), label);
		return {
			from: [
				...words('fromStatuses', 'From Statuses'),
				...words('options.otherFromStatuses', 'Other From Statuses'),
			],
			to: [
				...words('toStatuses', 'To Statuses'),
				...words('options.otherToStatuses', 'Other To Statuses'),
			],
		};
	},

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
		return { isSample: true, ...eventJson(current, previous, now) };
	},
};
