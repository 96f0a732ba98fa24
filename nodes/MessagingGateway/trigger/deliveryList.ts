import { createHash } from 'crypto';
import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { completeDeliveryList, type Delivery } from '../../../gateway/replies/deliveries';
import { endpoints } from '../../../gateway/wire/endpoints';
import { queryOf, queryParameters } from '../fields/queryParameters';
import { itemJson } from '../request/items';
import type { Source } from './event';

/** The deferred deliveries, in the gateway's order. */
export const deliveries: Source<Delivery[]> & { properties: INodeProperties[] } = {
	properties: [queryParameters],
	endpoint: endpoints.listDeferred,
	query: queryOf,
	read: completeDeliveryList,
	unreadable: {
		message: 'The response of the gateway contains no complete list of deferred deliveries',
		description:
			"If the list has pages, request all of it with 'Query Parameters', e.g. limit. Otherwise check 'Base URL' of the credential: it ends before /api/whatsapp.",
	},
};

/** n8n reads and writes the stored state of a workflow as a whole, as JSON. */
export const MAX_STORED = 10_000;

/** Keys can have any length. The chance that two of 10,000 ids are equal is 1 in 10 ** 14. */
const idOf = (key: string) => createHash('sha256').update(key).digest('base64url').slice(0, 12);

/** Compares a list with the ids of the previous one. Each delivery counts once, in the list's order. */
export function difference(list: Delivery[], before: string[]) {
	const current = new Map(list.map((delivery) => [idOf(delivery.key), delivery]));
	const kept = before.filter((id) => current.has(id));
	const known = new Set(kept);
	const unknown = [...current.keys()].filter((id) => !known.has(id));
	const added = unknown.slice(0, MAX_STORED - kept.length);
	return { current, kept, added, overLimit: unknown.length - added.length };
}

/**
 * A gateway that restarts may list nothing for a moment, and all deliveries again afterwards. So an empty list
 * after several deliveries counts only if the next poll finds it empty too.
 */
export const needsSecondPoll = (list: Delivery[], before: number, wasEmpty: boolean) =>
	list.length === 0 && before > 1 && !wasEmpty;

/** The fields of a delivery other than its key. */
export function withoutKey({ key, fields }: Delivery): Record<string, unknown> {
	const { deliveryKey, ...others } = fields;
	const isKey = ([undefined, key, Number(key)] as unknown[]).includes(deliveryKey);
	return isKey ? others : fields;
}

/** The gateway's fields of a delivery, and the trigger's own. */
export function deliveryJson(event: string, delivery: Delivery, own: IDataObject): IDataObject {
	const start = { event, deliveryKey: delivery.key };
	return { ...start, ...itemJson(withoutKey(delivery), { ...start, ...own }) };
}

/** Used if the list is empty. */
export const sampleDelivery = (now: number): Delivery => ({
	key: 'sample',
	fields: {
		chatId: '4915123456789',
		type: 'text',
		text: 'Hello',
		createdAt: new Date(now).toISOString(),
	},
});
