import { isObject, type JsonObject } from '../json';
import { ENVELOPES, type GatewayResponse, nestedObjects } from './response';

/** Only deferred deliveries, or their keys, are listed under these names. */
const DELIVERY_LIST_NAMES = ['deferred', 'deliveries', 'deliveryKeys', 'delivery_keys'];
/** Some list is under these names. */
const GENERIC_LIST_NAMES = ['items', 'list', 'records', 'rows', 'entries', 'keys'];
export const DELIVERY_KEY_NAMES = ['deliveryKey', 'delivery_key'];
/** An object with one of these is a message; others may be warnings, for example. */
const MESSAGE_NAMES = [...DELIVERY_KEY_NAMES, 'chatId', 'chat_id', 'phone', 'to', 'recipient'];

const hasKey = (object: JsonObject) => DELIVERY_KEY_NAMES.some((name) => isKey(object[name]));
const isMessage = (entry: JsonObject) => MESSAGE_NAMES.some((name) => name in entry);
const isList = (value: unknown): value is unknown[] => Array.isArray(value);
const isEmpty = (value: unknown) =>
	typeof value === 'object' && Object.keys(value ?? {}).length === 0;

export interface Delivery {
	key: string;
	fields: JsonObject;
}

/** Reading a longer list would block n8n for seconds. */
const MAX_LENGTH = 100_000;

/** One object per deferred delivery, possibly one page of them; undefined if the response holds no list. */
export function deferredDeliveries(data: unknown): JsonObject[] | undefined {
	const list = (findList(data) ?? (saysNone(data) ? [] : undefined))?.slice(0, MAX_LENGTH);
	const deliveries = list?.map(fieldsOf).filter(isObject);
	return deliveries?.length === list?.length ? deliveries : undefined;
}

/**
 * All deferred deliveries; undefined unless the response is certainly the complete list. The trigger treats a
 * delivery that is missing from the list as settled, so a response that says nothing must not pass for an empty list.
 */
export function completeDeliveryList({ status, data }: GatewayResponse): Delivery[] | undefined {
	if (data === undefined && status === 204) return [];
	const list = findList(data);
	if (list && list.length > MAX_LENGTH) return undefined;
	const deliveries = list?.flatMap((entry) => deliveryOf(entry) ?? []);
	if (deliveries?.length !== list?.length) return undefined;
	return deliveries && isOnePage(data, deliveries.length) ? undefined : deliveries;
}

function findList(data: unknown): unknown[] | undefined {
	if (isList(data)) return data;
	const objects = nestedObjects(data, [...ENVELOPES, ...DELIVERY_LIST_NAMES]);
	const single = objects.find(hasKey);
	if (single) return [single];
	const valuesUnder = (names: string[]) =>
		objects.flatMap((object) => names.filter((name) => name in object).map((name) => object[name]));
	const named = valuesUnder(DELIVERY_LIST_NAMES);
	const generic = valuesUnder(GENERIC_LIST_NAMES);
	const list =
		named.map((value) => (isList(value) ? value : listByKey(value))).find(isList) ??
		[...generic, ...valuesUnder(ENVELOPES)].find(isList) ??
		generic.map(listByKey).find((byKey) => byKey?.length);
	if (list) return list;
	// Some gateways write an empty list as null.
	if (named.includes(null)) return [];
	// Under any other name there may be a list of something else.
	const holdsMessages = (value: object) => {
		const members: unknown[] = Object.values(value);
		return members.length > 0 && members.every((entry) => isObject(entry) && isMessage(entry));
	};
	return (
		objects.flatMap(Object.values).filter(isList).find(holdsMessages) ??
		objects.filter(holdsMessages).map(listByKey).find(isList)
	);
}

/** A list written as an object whose property names are the delivery keys. */
function listByKey(value: unknown): JsonObject[] | undefined {
	if (!isObject(value)) return undefined;
	const entries = Object.entries(value);
	const isPart = (name: string) =>
		[...ENVELOPES, ...DELIVERY_LIST_NAMES, ...GENERIC_LIST_NAMES].includes(name);
	if (entries.some(([name, member]) => !isObject(member) || isPart(name))) return undefined;
	return entries.map(([deliveryKey, member]) => ({ deliveryKey, ...(member as JsonObject) }));
}

/** Whether the gateway says, instead of sending an empty list, that there are no deliveries. */
function saysNone(data: unknown): boolean {
	if (data === undefined || isEmpty(data)) return true;
	const none = [...ENVELOPES, ...GENERIC_LIST_NAMES, 'messages'];
	const says = (object: JsonObject) =>
		[...TOTAL_NAMES, 'count'].some((name) => object[name] === 0) ||
		none.some((name) => isEmpty(object[name]));
	return (
		nestedObjects(data, [...ENVELOPES, ...DELIVERY_LIST_NAMES]).some(says) && !isOnePage(data, 0)
	);
}

const TOTAL_NAMES = ['total', 'totalCount', 'total_count'];

/** Whether the response is one page of a longer list. */
const isOnePage = (data: unknown, length: number) =>
	nestedObjects(data, [
		...ENVELOPES,
		...DELIVERY_LIST_NAMES,
		'meta',
		'pagination',
		'paging',
		'page',
	]).some(
		(object) =>
			['hasMore', 'has_more', 'hasNext', 'has_next'].some((name) => object[name] === true) ||
			['next', 'nextPage', 'next_page', 'nextCursor', 'next_cursor'].some((name) => object[name]) ||
			TOTAL_NAMES.some((name) => Number(object[name]) > length),
	);

function deliveryOf(entry: unknown): Delivery | undefined {
	const fields = fieldsOf(entry);
	const key = [...DELIVERY_KEY_NAMES, 'key', 'id'].map((name) => fields?.[name]).find(isKey);
	return fields && key !== undefined ? { key: String(key), fields } : undefined;
}

/** A list may hold only the keys. Text with spaces is not a key. */
function fieldsOf(entry: unknown): JsonObject | undefined {
	if (isObject(entry)) return entry;
	return isKey(entry) && !/\s/.test(String(entry)) ? { deliveryKey: entry } : undefined;
}

export const isKey = (value: unknown): value is string | number =>
	(typeof value === 'string' && value !== '') || Number.isSafeInteger(value);

/** The single delivery in a response. */
export function deferredDelivery(data: unknown): JsonObject | undefined {
	if (isList(data)) return data.length === 1 ? deferredDelivery(data[0]) : undefined;
	const objects = nestedObjects(data, ['deferred', 'delivery', 'item', ...ENVELOPES]);
	return (
		objects.find(hasKey) ??
		objects.find((object) => ['key', 'id', 'chatId', 'phone'].some((name) => name in object)) ??
		objects[0]
	);
}
