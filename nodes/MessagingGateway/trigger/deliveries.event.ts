import { createHash } from 'crypto';
import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { completeDeliveryList, type Delivery } from '../../../gateway/replies/deliveries';
import { endpoints } from '../../../gateway/wire/endpoints';
import { readersOf } from '../fields/read';
import { itemJson } from '../request/outputItems';
import { queryOf, queryParameters } from '../request/requestOptions';
import type { TriggerEvent } from './event';
import { shortDelivery, withoutKey } from './shortDelivery';

/** n8n reads and writes the stored state of a workflow as a whole, as JSON. */
export const MAX_STORED = 10_000;

/** Both events compare the deferred deliveries, in the gateway's order. */
const deliveries = {
	properties: [queryParameters],
	endpoint: endpoints.listDeferred,
	query: (context: IPollFunctions) => queryOf(readersOf(context).field),
	settings: () => undefined,
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
 * Compares a list with the ids of the previous one. Each delivery counts once, in the list's order. Undefined if the
 * next poll has to confirm the list: a gateway that restarts may list nothing for a moment, and all deliveries again
 * afterwards. So an empty list after several deliveries counts only if the next poll finds it empty too. If the
 * deliveries are back by then, that must be saved, or the stored empty list would confirm one after a restart.
 */
function difference(list: Delivery[], before: string[], wasEmpty: boolean) {
	if (list.length === 0 && before.length > 1 && !wasEmpty) return undefined;
	const current = new Map(list.map((delivery) => [idOf(delivery.key), delivery]));
	const kept = before.filter((id) => current.has(id));
	const known = new Set(kept);
	const unknown = [...current.keys()].filter((id) => !known.has(id));
	const added = unknown.slice(0, MAX_STORED - kept.length);
	return { current, kept, added, overLimit: unknown.length - added.length };
}

/** The gateway's fields of a delivery, and the trigger's own. */
function deliveryJson(event: string, delivery: Delivery, own: IDataObject): IDataObject {
	const start = { event, deliveryKey: delivery.key };
	return { ...start, ...itemJson(withoutKey(delivery), { ...start, ...own }) };
}

const isoTime = (ms: number) => new Date(ms).toISOString();

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
	/** Whether the last list was empty, which the next poll must confirm. */
	wasEmpty?: boolean;
}

export const deferredAdded: TriggerEvent<Delivery[], AddedState, undefined> = {
	...deliveries,

	label: 'Deferred Delivery Added',
	description: 'Triggers when the gateway defers a message',

	compare(before, list, _settings, now) {
		const { ids = [], wasEmpty = false } = before ?? {};
		const changes = difference(list, ids, wasEmpty);
		if (!changes) return { state: { ids, wasEmpty: true }, events: [], mustBeSaved: false };
		const { current, kept, added, overLimit } = changes;
		return {
			state: { ids: [...kept, ...added] },
			events: before ? added.map((id) => addedJson(current.get(id)!, now)) : [],
			// Deliveries that have left the list are forgotten by the next poll as well.
			mustBeSaved: wasEmpty,
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
}

interface SettledState {
	/** The time of the last poll with deliveries. */
	at: number;
	waiting: Waiting[];
	/** The time of an empty list that the next poll must confirm. */
	emptySince?: number;
}

const settledJson = (known: Delivery, since: number, lastSeen: number, now: number) =>
	deliveryJson('deferredSettled', known, {
		firstSeenAt: isoTime(since),
		lastSeenAt: isoTime(lastSeen),
		settledAt: isoTime(now),
	});

export const deferredSettled: TriggerEvent<Delivery[], SettledState, undefined> = {
	...deliveries,

	label: 'Deferred Delivery Settled',
	description: 'Triggers when a message was sent, dropped or deleted',

	compare(before, list, _settings, now) {
		const { at = now, waiting = [], emptySince } = before ?? {};
		const firstSeen = new Map(waiting.map(({ id, since }) => [id, since]));
		const changes = difference(list, [...firstSeen.keys()], emptySince !== undefined);
		if (!changes) return { state: { at, waiting, emptySince: now }, events: [], mustBeSaved: true };
		const { current, kept, added, overLimit } = changes;
		const next = [...kept, ...added].map((id) => ({
			id,
			since: firstSeen.get(id) ?? now,
			known: shortDelivery(current.get(id)!),
		}));
		return {
			// An empty list that stays empty is not a new state.
			state: { at: next.length > 0 ? now : at, waiting: next },
			events: waiting
				.filter(({ id }) => !current.has(id))
				.map(({ known, since }) => settledJson(known, since, at, emptySince ?? now)),
			mustBeSaved: added.length > 0 || emptySince !== undefined,
			overLimit,
		};
	},

	sample(list, _settings, now) {
		const known = shortDelivery(list.at(-1) ?? sampleDelivery(now));
		return { isSample: true, ...settledJson(known, now, now, now) };
	},
};
