import type { ListedDelivery } from '../../../gateway/answer';
import { byId, deliveries, deliveryJson, MOST_REMEMBERED, sampleDelivery } from './deliveries';
import type { Kind } from './kind';

const event = (delivery: ListedDelivery, now: number, isSample = false) =>
	deliveryJson('deferredAdded', delivery, {
		seenAt: new Date(now).toISOString(),
		...(isSample ? { isSample } : {}),
	});

/** Its state is the ids of those that were told of, or were there from the beginning. */
export const deferredAdded: Kind<ListedDelivery[], string[], undefined> = {
	...deliveries,

	settings: () => undefined,

	step(before, listed, _settings, now) {
		const waiting = byId(listed);
		const known = new Set(before?.filter((id) => waiting.has(id)));
		const unknown = [...waiting].filter(([id]) => !known.has(id));
		const added = unknown.slice(0, MOST_REMEMBERED - known.size);
		return {
			state: [...known, ...added.map(([id]) => id)],
			events: before ? added.map(([, delivery]) => event(delivery, now)) : [],
			// What went meanwhile is forgotten at the next look just as well.
			mustBeSaved: false,
			beyond: unknown.length - added.length,
		};
	},

	example(listed, _settings, now) {
		const newest = listed.at(-1);
		return newest ? event(newest, now) : event(sampleDelivery(now), now, true);
	},
};
