import { isObject, type JsonObject, plainName } from '../json';
import { isKey, isSomething, NAMES, wordOf } from './dialect';
import { ANY, NO_NAME, find, type Scope } from './find';
import { hasPayload, isDenied } from './outcome';
import { sessionIn } from './sessionStatus';
import type { GatewayResponse } from '../wire/response';

export interface Delivery {
	deliveryKey: string;
	/** All fields of the delivery, as the gateway sent them. */
	fields: JsonObject;
}

/** The rest of a longer list is not read, because that would block n8n for seconds. */
const MAX_DELIVERIES = 100_000;
const { deliveryKeys, deliveryLists, ids, nextPages, pageCounts, pageSizes, paging } = NAMES;
const { sessionStatuses, totals } = NAMES;
const listNames = [...deliveryLists, 'items', NO_NAME];

const keyIn = (data: unknown, names: string[], scope?: Scope) =>
	find(data, names, scope).find(({ value }) => isKey(value));

/** HTTP says that there is none. */
const isEmpty = ({ status, data }: GatewayResponse) => status === 204 && data === undefined;

/** Returns the deferred deliveries, or one page of them; undefined if the response contains no list, whatever else it says. */
export function listedDeliveries(response: GatewayResponse): Delivery[] | undefined {
	const { data } = response;
	if (isEmpty(response)) return [];
	const single = keyIn(data, deliveryKeys);
	if (single) return [{ deliveryKey: String(single.value), fields: single.holder }];
	return listIn(data)?.deliveries.slice(0, MAX_DELIVERIES);
}

/**
 * Returns all deferred deliveries; undefined if the response has no list, or says that its list is incomplete. The trigger reports a
 * delivery that is missing from the list as settled, so a response without a list must not count as an empty list.
 */
export function completeDeliveryList(response: GatewayResponse): Delivery[] | undefined {
	const { data } = response;
	if (isEmpty(response)) return [];
	const list = listIn(data);
	if (!list || list.deliveries.length > MAX_DELIVERIES || mayBeIncomplete(response, list))
		return undefined;
	const around = { within: listNames, except: list.value };
	const other = keyIn(data, deliveryKeys, around) ?? listIn(data, around)?.deliveries[0];
	return other || isDenied(data, around) ? undefined : list.deliveries;
}

type List = NonNullable<ReturnType<typeof listIn>>;

/** Returns the first list of only deliveries, or else an empty list that has a known name or is the whole content of an envelope. */
function listIn(data: unknown, scope: Scope = { within: listNames }) {
	const all = find(data, ANY, scope).flatMap(({ name, value, holder }) => {
		const isKnown = listNames.includes(name);
		// Gateways written in Go return null for an empty list.
		const list = value === null && deliveryLists.includes(name) ? [] : value;
		if (!Array.isArray(list)) return [];
		const mayBeEmpty = isKnown && Object.values({ data, ...holder }).includes(value);
		const entries = list.slice(0, MAX_DELIVERIES + 1).map((entry) => deliveryOf(entry, isKnown));
		const deliveries = entries.filter((entry) => entry !== undefined);
		const isList = deliveries.length === entries.length && (entries.length > 0 || mayBeEmpty);
		return isList ? [{ value, deliveries }] : [];
	});
	return all.find(({ deliveries }) => deliveries.length > 0) ?? all[0];
}

/** Returns an entry as a delivery; undefined if it has no key. In a list with a known name, that may be its `id` or the entry itself. */
function deliveryOf(entry: unknown, isKnownList: boolean): Delivery | undefined {
	const isText = isKnownList && isKey(entry) && !/\s/.test(String(entry));
	const fields = isText ? { deliveryKey: entry } : isObject(entry) ? entry : {};
	// find() runs only for the few entries with an envelope, because 100,000 calls would block n8n for seconds.
	const own = Object.entries(fields).map(([name, value]) => ({ name: plainName(name), value }));
	const hasEnvelope = own.some(({ name }) => NAMES.envelopes.includes(name));
	const facts = hasEnvelope ? find(fields, ANY) : own;
	const named = (names: string[]) =>
		facts.find(({ name, value }) => names.includes(name) && isKey(value));
	const found = named(deliveryKeys) ?? (isKnownList ? named(ids) : undefined);
	return found && { deliveryKey: String(found.value), fields };
}

/** Whether the list may be one page of a longer one, or be empty only because the session is not ready. */
function mayBeIncomplete(response: GatewayResponse, list: List): boolean {
	const { status, headers, data } = response;
	const { length } = list.deliveries;
	const around = find(data, ANY, { within: [...listNames, ...paging], except: list.value });
	const numbersOf = (names: string[]) =>
		around
			.filter(({ name }) => names.includes(name))
			.map(({ value }) => Number(wordOf(value)) || 0);
	const total = Math.max(...numbersOf(totals), Number(headers['x-total-count'] ?? 0));
	return (
		![200, 204].includes(status) ||
		!(Number(headers['content-range']?.split('/')[1] ?? 0) <= length) ||
		/\brel="?([\w-]+ )?next\b/i.test(headers.link ?? '') ||
		around.some(({ name, value }) => nextPages.includes(name) && isSomething(value)) ||
		total > length ||
		numbersOf(pageCounts).some((count) => count > 1) ||
		// A full page may be followed by another one, unless the response has a total.
		(length > 0 && total === 0 && numbersOf(pageSizes).includes(length)) ||
		(length === 0 && !/^(unknown|online)$/.test(sessionIn(response).phase))
	);
}

/** Returns the single delivery in a response; undefined if there is none. */
export function deferredDelivery(data: unknown): JsonObject | undefined {
	const scope = { within: NAMES.singleDeliveries };
	const found =
		keyIn(data, deliveryKeys, scope) ?? keyIn(data, [...ids, ...NAMES.recipients], scope);
	const isUnknown = isObject(data) && hasPayload(data, sessionStatuses, NAMES.singleDeliveries);
	return found?.holder ?? (isUnknown ? data : undefined);
}
