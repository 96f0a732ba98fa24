import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { statusWord } from '../../../gateway/replies/sessionStatus';
import {
	enteredStatuses,
	onlineStatuses,
	type OnlineTest,
	onlineTest,
} from '../request/onlineStatuses';
import { numberOf } from '../request/operation';
import type { TriggerEvent } from './event';
import { status } from './status';

interface Settings {
	minutes: number;
	isOnline: OnlineTest;
}

interface State {
	/** In milliseconds; undefined while the session is online. */
	offlineSince?: number;
	isReported?: boolean;
}

const MINUTE_MS = 60_000;

const minutesField: INodeProperties = {
	displayName: 'Minutes',
	name: 'minutes',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 7 * 24 * 60 },
	default: 10,
	description: 'How long the session must be offline, at most 10080 (a week)',
};

const eventJson = (current: string, offlineSince: number, now: number) => ({
	event: 'sessionOffline',
	status: current,
	offlineSince: new Date(offlineSince).toISOString(),
	minutes: Math.floor((now - offlineSince) / MINUTE_MS),
	at: new Date(now).toISOString(),
});

export const sessionOffline: TriggerEvent<string, State, Settings> = {
	...status,

	option: {
		name: 'Session Offline',
		value: 'sessionOffline',
		description: 'Triggers once per outage, after some minutes',
	},

	properties: [
		minutesField,
		{
			displayName: 'Options',
			name: 'options',
			type: 'collection',
			placeholder: 'Add option',
			default: {},
			options: [
				{
					...onlineStatuses,
					description:
						'The statuses that count as online, separated by commas; all others are offline. Without this option: ONLINE and its usual synonyms.',
				},
			],
		},
	],

	/** A status that the user entered counts, whatever else the word may mean. */
	read: (response, { isOnline }) => statusWord(response, isOnline.entered),

	settings(context) {
		const options = context.getNodeParameter('options', {}) as IDataObject;
		return {
			minutes: numberOf(minutesField, context.getNodeParameter('minutes', 10)),
			isOnline: onlineTest(enteredStatuses(options)),
		};
	},

	compare(before, current, { minutes, isOnline }, now) {
		const wasOnline = before?.offlineSince === undefined;
		if (isOnline(current)) return { state: {}, events: [], mustBeSaved: !wasOnline };
		// If the clock was set back, the outage counts from now.
		const offlineSince = Math.min(before?.offlineSince ?? now, now);
		const isReported = before?.isReported === true;
		const isDue = !isReported && now - offlineSince >= minutes * MINUTE_MS;
		return {
			state: { offlineSince, isReported: isReported || isDue },
			events: isDue ? [eventJson(current, offlineSince, now)] : [],
			mustBeSaved: wasOnline,
		};
	},

	sample(current, { minutes, isOnline }, now) {
		const offline = [current, 'DISCONNECTED', 'OFFLINE'].find((word) => !isOnline(word));
		const offlineSince = now - minutes * MINUTE_MS;
		return { isSample: true, ...eventJson(offline ?? current, offlineSince, now) };
	},
};
