import type { Delivery } from '../../../gateway/replies/deliveries';
import {
	deliveries,
	deliveryJson,
	difference,
	needsSecondPoll,
	sampleDelivery,
} from './deliveryList';
import type { TriggerEvent } from './event';

const eventJson = (delivery: Delivery, now: number) =>
	deliveryJson('deferredAdded', delivery, { seenAt: new Date(now).toISOString() });

interface State {
	/** The deliveries that were reported, or present at the first poll. */
	ids: string[];
	/** Whether the last list was empty, which the next poll must confirm. */
	wasEmpty?: boolean;
}

export const deferredAdded: TriggerEvent<Delivery[], State, undefined> = {
	...deliveries,

	label: 'Deferred Delivery Added',
	description: 'Triggers when the gateway defers a message',

	settings: () => undefined,

	compare(before, list, _settings, now) {
		const { ids = [], wasEmpty = false } = before ?? {};
		if (needsSecondPoll(list, ids.length, wasEmpty)) {
			return { state: { ids, wasEmpty: true }, events: [], mustBeSaved: false };
		}
		const { current, kept, added, overLimit } = difference(list, ids);
		return {
			state: { ids: [...kept, ...added] },
			events: before ? added.map((id) => eventJson(current.get(id)!, now)) : [],
			// Deliveries that have left the list are forgotten by the next poll as well. But a saved empty list must not
			// confirm one after a restart, if the deliveries were back in between.
			mustBeSaved: wasEmpty,
			overLimit,
		};
	},

	sample(list, _settings, now) {
		const newest = list.at(-1);
		return newest
			? eventJson(newest, now)
			: { isSample: true, ...eventJson(sampleDelivery(now), now) };
	},
};
