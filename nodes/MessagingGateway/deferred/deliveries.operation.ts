import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { requiredText, InvalidInput } from '../../../gateway/inputValues';
import { hasDotSegment, printableText } from '../../../gateway/decoding';
import {
	deferredDelivery,
	type Delivery,
	listedDeliveries,
} from '../../../gateway/responses/deliveries';
import { NAMES, scalarOf } from '../../../gateway/responses/dialect';
import { notUsable } from '../../../gateway/responses/failure';
import { find } from '../../../gateway/responses/find';
import { deliveryPath, type Endpoint, endpoints } from '../../../gateway/wire/endpoints';
import { searchable, shownFor, toggle, wholeNumber } from '../fields/field';
import { flagOf, numberOf, readersOf } from '../fields/read';
import { readAccount } from '../request/account';
import type { Item } from '../operation/item';
import { requestOperation } from '../operation/operation';
import { itemJson, listItems, toNodeError } from '../operation/outputItems';
import { failureInInput } from '../request/inputErrors';
import { connectionOptions, queryOf, queryParameters } from '../request/requestOptions';
import { sendNonMessage } from '../request/sendRequest';

const deliveryKey = searchable('deliveryKey', 'Delivery Key', 'list', 'searchDeliveries', {
	...{ displayName: 'By Key', type: 'string' },
	placeholder: 'e.g. 7f9c2ba4e88f827d',
})('The key that the gateway assigned when it deferred the message');

const deliveryUrl =
	({ path }: Endpoint) =>
	({ field }: Item) => ({ url: deliveryPath(path, checkedKey(field(deliveryKey.name))) });

/** Throws InvalidInput for an empty key, which would address the whole list, and for dot segments, which would address another path. */
function checkedKey(entered: unknown): string {
	const key = requiredText(entered, deliveryKey.displayName, GOOD_KEY).trim();
	if (!hasDotSegment(key) && key.isWellFormed()) return key;
	throw new InvalidInput("'Delivery Key' is not the key of a delivery", GOOD_KEY);
}

const GOOD_KEY =
	"Enter the 'deliveryKey' of a deferred delivery. Deferred Delivery > Get Many lists them.";

const notFound = {
	cause: 'no_delivery',
	message: 'There is no deferred delivery with this key',
	description:
		"It was sent or deleted, or its delivery window ended. Deferred Delivery > Get Many lists the current ones. If it should exist, check 'Base URL' and 'Token' of the credential.",
};

export const deleteDelivery = requestOperation({
	option: ['delete', 'Delete', 'Delete deferred delivery'],
	description: 'Delete a deferred delivery permanently',
	endpoint: endpoints.deleteDeferred,
	request: deliveryUrl(endpoints.deleteDeferred),
	confirmation: 'deleted',
	read: () => [{ json: { deleted: true } }],
	rehearsed: { deleted: false },
	notFound,
	properties: [deliveryKey],
});

const NO_DELIVERY = {
	cause: 'no_delivery',
	message: 'The response of the gateway contains no deferred delivery',
	description: `There may be none with this key. ${notFound.description}`,
};

export const getDelivery = requestOperation({
	option: ['get', 'Get', 'Get deferred delivery'],
	description: 'Get a deferred delivery by its key',
	endpoint: endpoints.getDeferred,
	request: deliveryUrl(endpoints.getDeferred),
	read({ data }) {
		const delivery = deferredDelivery(data);
		return delivery ? [{ json: itemJson(delivery) }] : NO_DELIVERY;
	},
	notFound,
	properties: [deliveryKey],
});

const returnAll = toggle(
	'returnAll',
	'Return All',
)('Whether to return all results or only up to a given limit');
const limit = wholeNumber('limit', 'Limit', { range: [1], default: 50 })(
	'Max number of results to return',
);

const limitOf = ({ field }: Item) =>
	flagOf(returnAll, field) ? undefined : numberOf(limit, field);

const UNREADABLE_LIST = {
	cause: 'no_list',
	message: 'The response of the gateway contains no list of deferred deliveries that can be read',
	description:
		"Check 'Base URL' of the credential: it ends before /api/whatsapp. If it is right, get the list with an HTTP Request node and this credential.",
};

/** Returns recipient, kind and time of a delivery for the picker, or its key if it has none of them. */
function titleOf({ deliveryKey, fields }: Delivery): string {
	const said = (names: string[]) =>
		names.flatMap((name) => find(fields, [name]).map(({ value }) => scalarOf(value))).find(Boolean);
	const time = said(NAMES.creationTimes);
	const at = time && !Number.isNaN(Date.parse(time)) ? new Date(time).toISOString() : undefined;
	const when = at && `${at.slice(0, 19).replace('T', ' ')} UTC`;
	const about = [
		said(NAMES.recipients),
		said(NAMES.deliveryTypes),
		when,
		said(['text', 'caption']),
	];
	return about.filter(Boolean).join(' · ') || deliveryKey;
}

export async function searchDeliveries(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	const { method, path: url } = endpoints.listDeferred;
	const read = async () => {
		const request = { ...connectionOptions(readersOf(this).field), method, url };
		return await sendNonMessage(this, await readAccount(this), request);
	};
	const result = await read().catch(failureInInput);
	const deliveries = result && 'value' in result && listedDeliveries(result.value);
	if (!deliveries) {
		const failed = result && 'failure' in result ? result : notUsable(UNREADABLE_LIST);
		throw toNodeError(this.getNode(), failed);
	}
	const wanted = filter.toLowerCase();
	const results = deliveries
		.map((delivery) => ({ name: printableText(titleOf(delivery)), value: delivery.deliveryKey }))
		.filter(({ name, value }) => `${name} ${value}`.toLowerCase().includes(wanted));
	return { results };
}

export const getDeliveries = requestOperation({
	option: ['getAll', 'Get Many', 'Get many deferred deliveries'],
	description: 'Get the messages that wait for the session',
	endpoint: endpoints.listDeferred,
	request(item) {
		limitOf(item);
		return queryOf(item.field);
	},
	read(response, item) {
		const all = listedDeliveries(response)?.map(({ fields }) => fields);
		return all ? listItems(item, all, limitOf(item)) : UNREADABLE_LIST;
	},
	properties: [returnAll, ...shownFor({ returnAll: [false] }, limit), queryParameters],
});
