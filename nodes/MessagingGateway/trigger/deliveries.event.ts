import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';

import { completeDeliveryList, type Delivery } from '../../../gateway/replies/deliveries';
import { endpoints } from '../../../gateway/wire/endpoints';
import type { Readers } from '../fields/read';
import { itemJson } from '../request/outputItems';
import { queryOf, queryParameters } from '../request/requestOptions';
import { isoTime, type TriggerEvent } from './event';
import { shortDelivery, withoutKey } from './shortDelivery';

/** n8n reads and writes the stored state of a workflow as a whole, as JSON. */
export const MAX_STORED = 10_000;

/** Both events compare the deferred deliveries, in the gateway's order. */
const deliveries = {
	properties: [queryParameters],
	endpoint: endpoints.listDeferred,
	settings: ({ field }: Readers) => ({ query: queryOf(field) }),
	read: completeDeliveryList,
	unreadable: {
		message: 'The response of the gateway contains no complete list of deferred deliveries',
		description:
			"If the list has pages, request all of it with 'Query Parameters', e.g. limit. Otherwise check 'Base URL' of the credential: it ends before /api/whatsapp.",
	},
};

/** Keys can have any length. The chance that two of 10,000 ids are equal is 1 in 10 ** 14. */
const idOf = (key: string) => createHash('sha256').update(key).digest('base64url').slice(0, 12);

/**
 * Compares a list with the ids of the previous ones. Each delivery counts once, in the list's order. One that is
 * missing counts as gone only if the next list does not have it either: a gateway that restarts, or whose list is read
 * while it changes, may leave out some or all deliveries for a moment. The first miss needs no run that saves it: after
 * a restart of n8n, it only takes another poll.
 */
function difference(list: Delivery[], before: string[], missed: string[]) {
	const current = new Map(list.map((delivery) => [idOf(delivery.key), delivery]));
	const known = new Set(before);
	const gone = new Set(missed.filter((id) => !current.has(id)));
	const kept = before.filter((id) => !gone.has(id));
	const unknown = [...current.keys()].filter((id) => !known.has(id));
	const added = unknown.slice(0, MAX_STORED - kept.length);
	return {
		current,
		kept,
		added,
		gone,
		/** Must be saved, or a stored miss would confirm another one after a restart. */
		hasReturned: gone.size < missed.length,
		overLimit: unknown.length - added.length,
	};
}

/** The gateway's fields of a delivery, and the trigger's own. */
function deliveryJson(event: string, delivery: Delivery, own: IDataObject): IDataObject {
	const start = { event, deliveryKey: delivery.key };
	return { ...start, ...itemJson(withoutKey(delivery), { ...start, ...own }) };
}

/** Used if the list is empty. */
const sampleDelivery = (now: number): Delivery => ({
	key: 'sample',
	fields: { chatId: '4915123456789', type: 'text', text: 'Hello', createdAt: isoTime(now) },
});

const addedJson = (delivery: Delivery, now: number) =>
	deliveryJson('deferredAdded', delivery, { seenAt: isoTime(now) });

interface AddedState {
	/** The deliveries that were reported, or present at the first poll. */
	ids: string[];
	/** Those that were not in the last list. */
	missing?: string[];
}

export const deferredAdded: TriggerEvent<Delivery[], AddedState, object> = {
	...deliveries,

	label: 'Deferred Delivery Added',
	description: 'Triggers when the gateway defers a message',

	compare(before, list, _settings, now) {
		const { ids = [], missing = [] } = before ?? {};
		const { current, kept, added, hasReturned, overLimit } = difference(list, ids, missing);
		return {
			state: { ids: [...kept, ...added], missing: kept.filter((id) => !current.has(id)) },
			events: before ? added.map((id) => addedJson(current.get(id)!, now)) : [],
			// Deliveries that are gone are forgotten by the next poll as well.
			mustBeSaved: hasReturned,
			overLimit,
		};
	},

	sample(list, _settings, now) {
		const newest = list.at(-1);
		return newest
			? addedJson(newest, now)
			: { isSample: true, ...addedJson(sampleDelivery(now), now) };
	},
};

/** Short names, because there may be many. */
interface Waiting {
	id: string;
	/** When it was first seen, in milliseconds. */
	since: number;
	/** What to report when it is settled. */
	known: Delivery;
	/** If it was not in the last list: the times of that list and of the one before. */
	missing?: { at: number; lastSeen: number };
}

interface SettledState {
	/** The time of the last list. */
	at: number;
	waiting: Waiting[];
}

const settledJson = (known: Delivery, since: number, lastSeen: number, now: number) =>
	deliveryJson('deferredSettled', known, {
		firstSeenAt: isoTime(since),
		lastSeenAt: isoTime(lastSeen),
		settledAt: isoTime(now),
	});

export const deferredSettled: TriggerEvent<Delivery[], SettledState, object> = {
	...deliveries,

	label: 'Deferred Delivery Settled',
	description: 'Triggers when a message was sent, dropped or deleted',

	compare(before, list, _settings, now) {
		const { at = now, waiting = [] } = before ?? {};
		const previous = new Map(waiting.map((one) => [one.id, one]));
		const missed = waiting.filter(({ missing }) => missing).map(({ id }) => id);
		const changes = difference(list, [...previous.keys()], missed);
		const { current, kept, added, gone, hasReturned, overLimit } = changes;
		const next = [...kept, ...added].map((id): Waiting => {
			const delivery = current.get(id);
			if (!delivery) return { ...previous.get(id)!, missing: { at: now, lastSeen: at } };
			return { id, since: previous.get(id)?.since ?? now, known: shortDelivery(delivery) };
		});
		return {
			// An empty list that stays empty is not a new state.
			state: { at: next.length > 0 ? now : at, waiting: next },
			events: waiting
				.filter(({ id }) => gone.has(id))
				.map(({ known, since, missing }) =>
					settledJson(known, since, missing!.lastSeen, missing!.at),
				),
			mustBeSaved: added.length > 0 || hasReturned,
			overLimit,
		};
	},

	sample(list, _settings, now) {
		const known = shortDelivery(list.at(-1) ?? sampleDelivery(now));
		return { isSample: true, ...settledJson(known, now, now, now) };
	},
};
