import type { INodeProperties } from 'n8n-workflow';

import { upperCaseWords } from '../../../gateway/inputValues';
import { statusWord } from '../../../gateway/replies/sessionStatus';
import { options, text } from '../fields/field';
import { optionsIn, parametersOf, type Read, valueOf } from '../fields/read';
import type { TriggerEvent } from './event';
import { status } from './status';

interface Settings {
	from: string[];
	to: string[];
}

const STATUSES = ['AUTH_FAILURE', 'AWAITING_QR', 'DISCONNECTED', 'ONLINE'];

const statuses = (name: string, displayName: string, description: string): INodeProperties => ({
	displayName,
	name,
	type: 'multiOptions',
	options: STATUSES.map((status) => ({ name: status, value: status })),
	default: [],
	description,
});

const fromStatuses = statuses(
	'fromStatuses',
	'From Statuses',
	'Only trigger for changes from these statuses. Select none for all.',
);
const toStatuses = statuses(
	'toStatuses',
	'To Statuses',
	'Only trigger for changes to these statuses. Select none for all.',
);
const otherFrom = text('otherFromStatuses', 'Other From Statuses', { example: 'CONNECTED' })(
	'Statuses of your gateway that are not in the list of From Statuses, separated by commas',
);
const otherTo = text('otherToStatuses', 'Other To Statuses', { example: 'RESTARTING, BANNED' })(
	'Statuses of your gateway that are not in the list of To Statuses, separated by commas',
);

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

	label: 'Session Status Changed',
	description: 'Triggers when the session changes its status',

	properties: [fromStatuses, toStatuses, options([otherFrom, otherTo])],

	/** A status that the user entered counts, whatever form it has. */
	read: (response, { from, to }) => statusWord(response, [...from, ...to]),

	settings(context) {
		const parameter = parametersOf(context);
		const option = optionsIn(parameter);
		const words = (field: INodeProperties, read: Read) =>
			upperCaseWords(valueOf(field, read), field.displayName);
		return {
			from: [...words(fromStatuses, parameter), ...words(otherFrom, option)],
			to: [...words(toStatuses, parameter), ...words(otherTo, option)],
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
