import { type IDataObject, type INodeProperties, updateDisplayOptions } from 'n8n-workflow';

import { statusWord } from '../../../gateway/session';
import { numberIn } from '../enteredValues';
import { onlineStatuses, onlineTest } from '../onlineStatuses';
import { status } from './status';
import type { Kind } from './kind';

export const properties: INodeProperties[] = updateDisplayOptions(
	{ show: { event: ['offlineFor'] } },
	[
		{
			displayName: 'Minutes',
			name: 'minutes',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: 10_080 },
			default: 10,
			description:
				'How long the session must have been offline, up to a week (10080). Each outage is told of once.',
		},
		{
			displayName: 'Options',
			name: 'options',
			type: 'collection',
			placeholder: 'Add Option',
			default: {},
			options: [
				{
					...onlineStatuses,
					description:
						'What your gateway calls being online; several with commas. Every other status is offline. Without this option: ONLINE and its usual synonyms.',
				},
			],
		},
	],
);

interface Settings {
	minutes: number;
	isOnline: (status: string) => boolean;
}

interface State {
	/** In milliseconds; undefined while it is online. */
	offlineSince?: number;
	isTold?: boolean;
}

const MINUTE_MS = 60_000;

const event = (current: string, offlineSince: number, now: number) => ({
	event: 'offlineFor',
	status: current,
	offlineSince: new Date(offlineSince).toISOString(),
	minutes: Math.floor((now - offlineSince) / MINUTE_MS),
	at: new Date(now).toISOString(),
});

export const offlineFor: Kind<string, State, Settings> = {
	...status,

	/** What somebody has entered is a status, whatever else it may mean. */
	read: (answer, { isOnline }) => statusWord(answer, isOnline),

	settings(context) {
		const minutes = context.getNodeParameter('minutes', 10);
		const { onlineStatuses: entered } = context.getNodeParameter('options', {}) as IDataObject;
		return {
			minutes: numberIn(minutes, 'Minutes', { from: 1, to: 10_080, otherwise: 10 }),
			isOnline: onlineTest(entered),
		};
	},

	step(before, current, { minutes, isOnline }, now) {
		const wasOnline = before?.offlineSince === undefined;
		if (isOnline(current)) return { state: {}, events: [], mustBeSaved: !wasOnline };
		// Where the clock was set back, the outage counts from now: it would else have to wait for its own beginning.
		const offlineSince = Math.min(before?.offlineSince ?? now, now);
		const isTold = before?.isTold === true;
		const isDue = !isTold && now - offlineSince >= minutes * MINUTE_MS;
		return {
			state: { offlineSince, isTold: isTold || isDue },
			events: isDue ? [event(current, offlineSince, now)] : [],
			mustBeSaved: wasOnline,
		};
	},

	example(current, { minutes, isOnline }, now) {
		const offline = [current, 'DISCONNECTED', 'OFFLINE'].find((one) => !isOnline(one));
		const offlineSince = now - minutes * MINUTE_MS;
		return { ...event(offline ?? current, offlineSince, now), isSample: true };
	},
};
