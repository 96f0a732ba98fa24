import { isObject, type JsonObject } from '../json';
import { ANY, find, isKey, isSomething, NAMES, wordOf } from './dialect';
import { hasPayload, isDenied } from './outcome';
import type { GatewayResponse } from './response';

export interface Delivery {
	key: string;
	fields: JsonObject;
}

/** Reading a longer list would block n8n for seconds. */
const MAX_LENGTH = 100_000;
const { deliveryKeys, deliveryLists, ids, paging } = NAMES;
const lists = [...deliveryLists, ...NAMES.otherLists];

const keyIn = (data: unknown, names: string[], scope?: Parameters<typeof find>[2]) =>
	find(data, names, scope).find(({ value }) => isKey(value));

const numberOf = (value: unknown) => Number(wordOf(value));

/** One object per deferred delivery, possibly one page of them; undefined if the response holds no list. */
export function deferredDeliveries(data: unknown): JsonObject[] | undefined {
	const single = keyIn(data, deliveryKeys);
	if (single) return [single.holder];
	const list = listIn(data)?.deliveries.slice(0, MAX_LENGTH);
	if (list) return list.map(({ fields }) => fields);
	const names = [...NAMES.envelopes, ...lists, ...NAMES.totals];
	const parts = find({ data: data ?? null }, names, { within: lists });
	const isEmpty = parts.some(({ value }) => typeof value !== 'string' && !isSomething(value));
	return isEmpty && !parts.some(({ value }) => numberOf(value) > 0) ? [] : undefined;
}

/**
 * All deferred deliveries; undefined unless the response is certainly the complete list. The trigger treats a
 * delivery that is missing from the list as settled, so a response that says nothing must not pass for an empty list.
 */
export function completeDeliveryList(response: GatewayResponse): Delivery[] | undefined {
	const { status, data } = response;
	if (status === 204 && data === undefined) return [];
	const list = listIn(data);
	if (!list || list.deliveries.length > MAX_LENGTH || isPage(response, list)) return undefined;
	const except = list.value;
	const other = keyIn(data, deliveryKeys, { except }) ?? listIn(data, except)?.deliveries[0];
	return other || isDenied(response, undefined, except) ? undefined : list.deliveries;
}

interface List {
	/** As it is in the response. */
	value: unknown;
	deliveries: Delivery[];
}

/** The first list of nothing but deliveries. An empty one needs a known name, or must be all that is in an envelope. */
function listIn(data: unknown, except?: unknown): List | undefined {
	const all = find(data, ANY, { within: lists, except }).flatMap(
		({ name, value, holder }): List[] => {
			const isKnown = lists.includes(name);
			// Go writes an empty list as null.
			const list = value === null && deliveryLists.includes(name) ? [] : value;
			if (!Array.isArray(list)) return [];
			const mayBeEmpty = isKnown && Object.values({ data, ...holder }).includes(value);
			const entries = list.slice(0, MAX_LENGTH + 1).map((entry) => deliveryOf(entry, isKnown));
			const deliveries = entries.filter((entry) => entry !== undefined);
			const isList = deliveries.length === entries.length && (entries.length > 0 || mayBeEmpty);
			return isList ? [{ value, deliveries }] : [];
		},
	);
	return all.find(({ deliveries }) => deliveries.length > 0) ?? all[0];
}

/** A list with a known name may hold only the keys, or have other names for them. Text with spaces is not a key. */
function deliveryOf(entry: unknown, isKnownList: boolean): Delivery | undefined {
	const isText = isKnownList && isKey(entry) && !/\s/.test(String(entry));
	const fields = isText ? { deliveryKey: entry } : isObject(entry) ? entry : {};
	const found = keyIn(fields, deliveryKeys) ?? (isKnownList ? keyIn(fields, ids) : undefined);
	return found && { key: String(found.value), fields };
}

/** Whether the response is, or may be, one page of a longer list. */
function isPage({ status, headers, data }: GatewayResponse, { value, deliveries }: List): boolean {
	const { length } = deliveries;
	const says = (names: string[], test: (said: unknown) => boolean) =>
		find(data, names, { within: [...lists, ...paging], except: value }).some((fact) =>
			test(fact.value),
		);
	const [, total = length] = headers['content-range']?.split('/') ?? [];
	return (
		status === 206 ||
		!(Number(total) <= length) ||
		Number(headers['x-total-count']) > length ||
		/\brel="?next\b/i.test(headers.link ?? '') ||
		says(NAMES.nextPage, isSomething) ||
		says(NAMES.pageCounts, (pages) => numberOf(pages) > 1) ||
		says(NAMES.totals, (count) => numberOf(count) > length)
	);
}

/** The single delivery in a response. */
export function deferredDelivery(data: unknown): JsonObject | undefined {
	const scope = { within: NAMES.singles };
	const found =
		keyIn(data, deliveryKeys, scope) ?? keyIn(data, [...ids, ...NAMES.recipients], scope);
	const isUnknown = isObject(data) && hasPayload(data, NAMES.statuses);
	return found?.holder ?? (isUnknown ? data : undefined);
}
