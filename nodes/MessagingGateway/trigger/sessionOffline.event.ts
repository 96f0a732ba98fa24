import { statusWord } from '../../../gateway/replies/sessionStatus';
import { number, options } from '../fields/field';
import { numberOf, optionsIn, parametersOf } from '../fields/read';
import { onlineStatuses, type OnlineTest, onlineTest } from '../request/onlineStatuses';
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

const minutesField = number(
	'minutes',
	'Minutes',
	[1, 7 * 24 * 60],
	10,
)('How long the session must be offline, at most 10080 (a week)');

const offlineStatuses = {
	...onlineStatuses,
	description:
		'The statuses that count as online, separated by commas; all others are offline. Without this option: ONLINE and its usual synonyms.',
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

	label: 'Session Offline',
	description: 'Triggers once per outage, after some minutes',

	properties: [minutesField, options([offlineStatuses])],

	/** A status that the user entered counts, whatever else the word may mean. */
	read: (response, { isOnline }) => statusWord(response, isOnline.entered),

	settings(context) {
		const parameter = parametersOf(context);
		return {
			minutes: numberOf(minutesField, parameter),
			isOnline: onlineTest(optionsIn(parameter)),
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
