import type { IDataObject } from 'n8n-workflow';

import type { ListedDelivery } from '../../../gateway/answer';
import { byId, deliveries, deliveryJson, MOST_REMEMBERED, sampleDelivery } from './deliveries';
import { inShort } from './inShort';
import type { Kind } from './kind';

/** A delivery that was seen waiting. The names are short, for there may be many. */
interface Waiting {
	id: string;
	/** When it was first seen, in milliseconds. */
	since: number;
	/** What was last known of it. */
	known: ListedDelivery;
}

interface State {
	/** When the list was last seen. */
	at: number;
	waiting: Waiting[];
}

const isoTime = (ms: number) => new Date(ms).toISOString();

const event = ({ since, known }: Waiting, lastSeen: number, now: number, more: IDataObject = {}) =>
	deliveryJson('deferredSettled', known, {
		firstSeenAt: isoTime(since),
		lastSeenAt: isoTime(lastSeen),
		settledAt: isoTime(now),
		...more,
	});

export const deferredSettled: Kind<ListedDelivery[], State, undefined> = {
	...deliveries,

	settings: () => undefined,

	step(before, listed, _settings, now) {
		const { at = now, waiting = [] } = before ?? {};
		const current = byId(listed);
		const gone = waiting.filter(({ id }) => !current.has(id));
		const kept = waiting.filter(({ id }) => current.has(id));
		const known = new Set(kept.map(({ id }) => id));
		const unknown = [...current.keys()].filter((id) => !known.has(id));
		const taken = unknown.slice(0, MOST_REMEMBERED - kept.length);
		const remembered = [...kept, ...taken.map((id) => ({ id, since: now }))];
		return {
			state: {
				// A list that stays empty is no new state.
				at: remembered.length > 0 ? now : at,
				waiting: remembered.map(({ id, since }) => ({
					id,
					since,
					known: inShort(current.get(id)!),
				})),
			},
			events: gone.map((delivery) => event(delivery, at, now)),
			mustBeSaved: taken.length > 0,
			beyond: unknown.length - taken.length,
		};
	},

	example(listed, _settings, now) {
		const known = inShort(listed.at(-1) ?? sampleDelivery(now));
		return event({ id: '', since: now, known }, now, now, { isSample: true });
	},
};
