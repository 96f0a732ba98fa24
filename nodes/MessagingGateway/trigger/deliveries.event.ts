import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';

import { completeDeliveryList, type Delivery } from '../../../gateway/responses/deliveries';
import { endpoints } from '../../../gateway/wire/endpoints';
import type { FieldReaders } from '../fields/read';
import { itemJson } from '../operation/outputItems';
import { queryOf, queryParameters } from '../request/requestOptions';
import { isoTime, type TriggerEvent } from './event';

/** Limits the stored deliveries, because n8n reads and writes the state of a workflow as a whole, as JSON. */
export const MAX_STORED = 10_000;

/** Both events compare the deferred deliveries, in the gateway's order. */
const deliveries = {
	properties: [queryParameters],
	endpoint: endpoints.listDeferred,
	settings: ({ field }: FieldReaders) => ({ query: queryOf(field) }),
	read: completeDeliveryList,
	unreadable: {
		message: 'The response of the gateway contains no complete list of deferred deliveries',
		description:
			"If the list has pages, request all of it with 'Query Parameters', e.g. limit. Otherwise check 'Base URL' of the credential: it ends before /api/whatsapp.",
	},
};

/** Shortens a key, which can have any length. The chance that two of 10,000 ids are equal is 1 in 10 ** 14. */
const idOf = (deliveryKey: string) =>
	createHash('sha256').update(deliveryKey).digest('base64url').slice(0, 12);

/** Records a delivery of the last lists. The names are short, because there may be many deliveries. */
interface Seen {
	id: string;
	/** Contains what to report when the delivery is settled, and when it was first seen. */
	known?: { since: number; delivery: Delivery };
	/** Has the times of the last list and of the list before, if the last one did not contain the delivery. */
	missing?: { at: number; lastSeen: number };
}

interface State {
	/** Stores the time of the last list, or of an earlier one if `seen` is empty. */
	at: number;
	/** Is missing if another version of the node stored the state. */
	seen?: Seen[];
}

/**
 * Compares a list with the previous ones. Each delivery counts once, in the list's order. A missing delivery counts as gone
 * only if the next list does not contain it either, because a gateway that restarts, or whose list changes while it is read,
 * may leave out some or all deliveries for a moment. The first miss needs no run that saves it: without it, a restart of n8n
 * only costs another poll.
 */
function difference(
	before: State | undefined,
	list: Delivery[],
	now: number,
	know: (delivery: Delivery, before: Seen['known']) => Seen['known'],
) {
	const { at = now, seen = [] } = before ?? {};
	const current = new Map(list.map((delivery) => [idOf(delivery.deliveryKey), delivery]));
	const isGone = ({ id, missing }: Seen) => missing !== undefined && !current.has(id);
	const kept = seen.filter((one) => !isGone(one));
	const ids = new Set(seen.map(({ id }) => id));
	const unknown = [...current.keys()].filter((id) => !ids.has(id));
	const added = unknown.slice(0, MAX_STORED - kept.length);
	const next = [...kept, ...added.map((id): Seen => ({ id }))].map((one): Seen => {
		const delivery = current.get(one.id);
		if (delivery) return { id: one.id, known: know(delivery, one.known) };
		return { ...one, missing: { at: now, lastSeen: at } };
	});
	return {
		// The time stays the same while there are no deliveries, because a new time would be a new state to store.
		state: { at: next.length > 0 ? now : at, seen: next },
		added: added.map((id) => current.get(id)!),
		gone: seen.filter(isGone),
		/** If true, the state must be saved. Otherwise, after a restart, a stored miss would make the next miss count as the second. */
		hasReturned: kept.some(({ missing }) => missing !== undefined),
		overLimit: unknown.length - added.length,
	};
}

const MAX_STORED_BYTES = 500;
/** A longer key is cut, because a few fields must fit next to it. */
const MAX_KEY_BYTES = 200;
/** Fits even if every character takes seven bytes. */
const MAX_KEY_LENGTH = 64;
const MAX_FIELD_BYTES = 150;

/** Returns the size in n8n's database. n8n stores the trigger's JSON text as a value in its own JSON, which escapes every quote again. */
const storedBytes = (value: unknown) =>
	Buffer.byteLength(JSON.stringify(JSON.stringify(value))) - 2;

function withoutKey({ deliveryKey, fields }: Delivery): Record<string, unknown> {
	const { deliveryKey: inFields, ...others } = fields;
	const isKey = ([undefined, deliveryKey, Number(deliveryKey)] as unknown[]).includes(inFields);
	return isKey ? others : fields;
}

/** Returns the delivery. If it takes more than 500 bytes, returns its key and its short fields, as far as they fit. */
export function storedDelivery(delivery: Delivery): Delivery {
	const whole = { deliveryKey: delivery.deliveryKey, fields: withoutKey(delivery) };
	if (storedBytes(whole) <= MAX_STORED_BYTES) return whole;
	const deliveryKey =
		storedBytes(delivery.deliveryKey) <= MAX_KEY_BYTES
			? delivery.deliveryKey
			: delivery.deliveryKey.slice(0, MAX_KEY_LENGTH).toWellFormed();
	let short: Delivery = { deliveryKey, fields: {} };
	for (const [name, value] of Object.entries(whole.fields)) {
		if (typeof value === 'object' || storedBytes([name, value]) > MAX_FIELD_BYTES) continue;
		const longer = { deliveryKey, fields: { ...short.fields, [name]: value } };
		if (storedBytes(longer) > MAX_STORED_BYTES) break;
		short = longer;
	}
	return short;
}

function deliveryJson(event: string, delivery: Delivery, own: IDataObject): IDataObject {
	const start = { event, deliveryKey: delivery.deliveryKey };
	return { ...start, ...itemJson(withoutKey(delivery), { ...start, ...own }) };
}

/** The number is reserved for fiction, because a workflow that is tried in the editor may write to it. */
const sampleDelivery = (now: number): Delivery => ({
	deliveryKey: 'sample',
	fields: { chatId: '447700900123', type: 'text', text: 'Hello', createdAt: isoTime(now) },
});

const addedJson = (delivery: Delivery, now: number) =>
	deliveryJson('deferredAdded', delivery, { seenAt: isoTime(now) });

export const deferredAdded: TriggerEvent<Delivery[], State> = {
	...deliveries,

	label: 'Deferred Delivery Added',
	description: 'Triggers when the gateway defers a message',

	compare(before, list, _settings, now) {
		const changes = difference(before, list, now, () => undefined);
		const { state, added, hasReturned, overLimit } = changes;
		const events = before?.seen ? added.map((delivery) => addedJson(delivery, now)) : [];
		// Deliveries that are gone need no run that saves this, because after a restart the next polls forget them, too.
		return { state, events, mustBeSaved: hasReturned, overLimit };
	},

	sample(list, _settings, now) {
		const newest = list.at(-1);
		return newest
			? addedJson(newest, now)
			: { isSample: true, ...addedJson(sampleDelivery(now), now) };
	},
};

const settledJson = (known: Delivery, since: number, lastSeen: number, now: number) =>
	deliveryJson('deferredSettled', known, {
		firstSeenAt: isoTime(since),
		lastSeenAt: isoTime(lastSeen),
		settledAt: isoTime(now),
	});

export const deferredSettled: TriggerEvent<Delivery[], State> = {
	...deliveries,

	label: 'Deferred Delivery Settled',
	description: 'Triggers when a message was sent, dropped or deleted',

	compare(before, list, _settings, now) {
		const changes = difference(before, list, now, (delivery, known) => ({
			since: known?.since ?? now,
			delivery: storedDelivery(delivery),
		}));
		const { state, added, gone, hasReturned, overLimit } = changes;
		const events = gone.map(({ known, missing }) =>
			settledJson(known!.delivery, known!.since, missing!.lastSeen, missing!.at),
		);
		return { state, events, mustBeSaved: added.length > 0 || hasReturned, overLimit };
	},

	sample(list, _settings, now) {
		const known = storedDelivery(list.at(-1) ?? sampleDelivery(now));
		return { isSample: true, ...settledJson(known, now, now, now) };
	},
};
