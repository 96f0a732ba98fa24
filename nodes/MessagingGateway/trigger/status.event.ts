import type { INodeProperties } from 'n8n-workflow';

import { UNREADABLE_STATUS } from '../../../gateway/failures/sessionTexts';
import { upperCaseWords } from '../../../gateway/inputValues';
import { statusResult, sessionIn } from '../../../gateway/responses/sessionStatus';
import { endpoints } from '../../../gateway/wire/endpoints';
import type { GatewayResponse } from '../../../gateway/wire/response';
import { number, text } from '../fields/field';
import { numberOf, type FieldReader, fieldValue } from '../fields/read';
import { isOnline } from '../operation/polling';
import { isoTime, type TriggerEvent } from './event';

const statusEvent = {
	endpoint: endpoints.status,
	accept: statusResult,
	read: (response: GatewayResponse) => sessionIn(response).status,
	unreadable: UNREADABLE_STATUS,
};

const statusFilter = (side: 'From' | 'To', example: string) => {
	const preposition = side.toLowerCase();
	return text(`${preposition}Statuses`, `${side} Statuses`, { example })(
		`Only trigger for changes ${preposition} these statuses of your gateway, separated by commas. Leave empty for all.`,
	);
};

const from = statusFilter('From', 'CONNECTED');
const to = statusFilter('To', 'ONLINE, BANNED');

const statusesOf = (field: INodeProperties, read: FieldReader) =>
	upperCaseWords(fieldValue(field, read), field.displayName);

interface Filter {
	from: string[];
	to: string[];
}

const matches = (statuses: string[], current: string) =>
	statuses.length === 0 || statuses.includes(current);

const changedJson = (current: string, previousStatus: string, now: number) => ({
	event: 'statusChanged',
	status: current,
	previousStatus,
	at: isoTime(now),
});

export const statusChanged: TriggerEvent<string, { status: string }, Filter> = {
	...statusEvent,

	label: 'Session Status Changed',
	description: 'Triggers when the session changes its status',
	properties: [from, to],

	settings: ({ field }) => ({ from: statusesOf(from, field), to: statusesOf(to, field) }),

	compare(before, current, filter, now) {
		const state = { status: current };
		const previous = before?.status ?? current;
		if (previous === current) return { state, events: [], mustBeSaved: false };
		const isWanted = matches(filter.from, previous) && matches(filter.to, current);
		return {
			state,
			events: isWanted ? [changedJson(current, previous, now)] : [],
			mustBeSaved: true,
		};
	},

	sample(current, filter, now) {
		const previous = [...filter.from, 'DISCONNECTED', 'ONLINE'].find((word) => word !== current)!;
		return { isSample: true, ...changedJson(current, previous, now) };
	},
};

const MINUTE_MS = 60_000;

const minutesField = number('minutes', 'Minutes', { range: [1, 7 * 24 * 60], default: 10 })(
	'How long the session must be offline, at most 10080 (a week)',
);

interface OfflineState {
	/** Stores a time in milliseconds. Undefined means that the session is online. */
	offlineSince?: number;
	isReported?: boolean;
}

const offlineJson = (current: string, offlineSince: number, now: number) => ({
	event: 'sessionOffline',
	status: current,
	offlineSince: isoTime(offlineSince),
	minutes: Math.floor((now - offlineSince) / MINUTE_MS),
	at: isoTime(now),
});

export const sessionOffline: TriggerEvent<string, OfflineState, { minutes: number }> = {
	...statusEvent,

	label: 'Session Offline',
	description: 'Triggers once per outage, after some minutes',
	properties: [minutesField],

	settings: ({ field }) => ({ minutes: numberOf(minutesField, field) }),

	compare(before, current, { minutes }, now) {
		const wasOnline = before?.offlineSince === undefined;
		if (isOnline(current)) return { state: {}, events: [], mustBeSaved: !wasOnline };
		// If the clock was set back, the outage counts from now.
		const offlineSince = Math.min(before?.offlineSince ?? now, now);
		const isReported = before?.isReported === true;
		const isDue = !isReported && now - offlineSince >= minutes * MINUTE_MS;
		return {
			state: { offlineSince, isReported: isReported || isDue },
			events: isDue ? [offlineJson(current, offlineSince, now)] : [],
			mustBeSaved: wasOnline,
		};
	},

	sample(current, { minutes }, now) {
		const offline = [current, 'DISCONNECTED', 'OFFLINE'].find((word) => !isOnline(word));
		return { isSample: true, ...offlineJson(offline ?? current, now - minutes * MINUTE_MS, now) };
	},
};
