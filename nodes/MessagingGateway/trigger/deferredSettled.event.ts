import type { Delivery } from '../../../gateway/replies/deliveries';
import {
	deliveries,
	deliveryJson,
	difference,
	needsSecondPoll,
	sampleDelivery,
} from './deliveryList';
import type { TriggerEvent } from './event';
import { shortDelivery } from './shortDelivery';

/** Short names, because there may be many. */
interface Waiting {
	id: string;
	/** When it was first seen, in milliseconds. */
	since: number;
	/** What to report when it is settled. */
	known: Delivery;
}

interface State {
	/** The time of the last poll with deliveries. */
	at: number;
	waiting: Waiting[];
	/** The time of an empty list that the next poll must confirm. */
	emptySince?: number;
}

const isoTime = (ms: number) => new Date(ms).toISOString();

const eventJson = ({ since, known }: Waiting, lastSeen: number, now: number) =>
	deliveryJson('deferredSettled', known, {
		firstSeenAt: isoTime(since),
		lastSeenAt: isoTime(lastSeen),
		settledAt: isoTime(now),
	});

export const deferredSettled: TriggerEvent<Delivery[], State, undefined> = {
	...deliveries,

	label: 'Deferred Delivery Settled',
	description: 'Triggers when a message was sent, dropped or deleted',

	settings: () => undefined,

	compare(before, list, _settings, now) {
		const { at = now, waiting = [], emptySince } = before ?? {};
		if (needsSecondPoll(list, waiting.length, emptySince !== undefined)) {
			return { state: { at, waiting, emptySince: now }, events: [], mustBeSaved: true };
		}
		const ids = waiting.map(({ id }) => id);
		const { current, added, overLimit } = difference(list, ids);
		const settled = waiting.filter(({ id }) => !current.has(id));
		const next = [
			...waiting.filter(({ id }) => current.has(id)),
			...added.map((id) => ({ id, since: now })),
		];
		return {
			state: {
				// An empty list that stays empty is not a new state.
				at: next.length > 0 ? now : at,
				waiting: next.map(({ id, since }) => ({
					id,
					since,
					known: shortDelivery(current.get(id)!),
				})),
			},
			events: settled.map((delivery) => eventJson(delivery, at, emptySince ?? now)),
			// A saved empty list must not confirm one after a restart, if the deliveries were back in between.
			mustBeSaved: added.length > 0 || emptySince !== undefined,
			overLimit,
		};
	},

	sample(list, _settings, now) {
		const known = shortDelivery(list.at(-1) ?? sampleDelivery(now));
		return { isSample: true, ...eventJson({ id: '', since: now, known }, now, now) };
	},
};
