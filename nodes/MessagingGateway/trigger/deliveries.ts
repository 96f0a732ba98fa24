import { createHash } from 'crypto';
import { type IDataObject, type INodeProperties, updateDisplayOptions } from 'n8n-workflow';

import { type ListedDelivery, waitingDeliveries } from '../../../gateway/answer';
import { endpoints } from '../../../gateway/endpoints';
import { queryOf, queryParameters } from '../deferred/queryParameters';
import { itemJson } from '../items';
import type { View } from './look';

export const properties: INodeProperties[] = updateDisplayOptions(
	{ show: { event: ['deferredAdded', 'deferredSettled'] } },
	[queryParameters],
);

/** The deferred deliveries that wait, in the gateway's order. */
export const deliveries: View<ListedDelivery[]> = {
	endpoint: endpoints.listDeferred,
	query: queryOf,
	read: waitingDeliveries,
	unreadable: {
		message: 'The answer of the gateway holds no whole list of deferred deliveries',
		description:
			"If the list comes in pages, ask for all of it with 'Query Parameters', e.g. limit. Otherwise check 'Base URL' of the credential: it ends before /api/whatsapp.",
	},
};

/** n8n keeps what a trigger remembers as one JSON text per workflow, and reads and writes it whole. */
export const MOST_REMEMBERED = 10_000;

/** A key has any length. Of these, two in 10,000 are the same with a chance of 1 in 10 ** 14. */
const idOf = (key: string) => createHash('sha256').update(key).digest('base64url').slice(0, 12);

/** Each delivery once, in the list's order. */
export const byId = (listed: ListedDelivery[]) =>
	new Map(listed.map((delivery) => [idOf(delivery.key), delivery]));

/** What the gateway says of a delivery beside its key. */
export function withoutKey({ key, delivery }: ListedDelivery): Record<string, unknown> {
	const { deliveryKey, ...others } = delivery;
	const isKnown = ([undefined, key, Number(key)] as unknown[]).includes(deliveryKey);
	return isKnown ? others : delivery;
}

/**
 * What the gateway says of a delivery, beside what the trigger says. Where both use the same name, the
 * gateway's value goes by another, as its `error` does everywhere.
 */
export function deliveryJson(
	event: string,
	listed: ListedDelivery,
	ours: IDataObject,
): IDataObject {
	const named = { event, deliveryKey: listed.key };
	const isTaken = (name: string) => Object.hasOwn(named, name) || Object.hasOwn(ours, name);
	const theirs = itemJson(withoutKey(listed));
	const renamed = Object.entries(theirs).map(([name, value]) => {
		let free = name;
		while (isTaken(free) || (free !== name && Object.hasOwn(theirs, free))) {
			free = `gateway${free[0]!.toUpperCase()}${free.slice(1)}`;
		}
		return [free, value] as const;
	});
	return { ...named, ...Object.fromEntries(renamed), ...ours };
}

/** For a list with nothing in it: a delivery as gateways describe theirs. */
export const sampleDelivery = (now: number): ListedDelivery => ({
	key: 'sample',
	delivery: {
		chatId: '4915123456789',
		type: 'text',
		text: 'Hello',
		createdAt: new Date(now).toISOString(),
	},
});
