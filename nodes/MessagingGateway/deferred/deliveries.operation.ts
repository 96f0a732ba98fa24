import type {
	IExecuteSingleFunctions,
	ILoadOptionsFunctions,
	INodeListSearchResult,
} from 'n8n-workflow';

import { checkLength } from '../../../gateway/inputValues';
import { InvalidInput } from '../../../gateway/invalidInput';
import { hasDotSegment } from '../../../gateway/percentDecoded';
import { isObject } from '../../../gateway/json';
import {
	deferredDelivery,
	deliveryTitle,
	listedDeliveries,
} from '../../../gateway/replies/deliveries';
import { notUsable } from '../../../gateway/replies/failure';
import { deliveryPath, type Endpoint, endpoints } from '../../../gateway/wire/endpoints';
import { locator, shownFor, toggle, wholeNumber } from '../fields/field';
import { queryOf, queryParameters } from '../fields/queryParameters';
import { flagOf, numberOf, parametersOf } from '../fields/read';
import { readAccount } from '../request/account';
import { itemJson, listItems } from '../request/items';
import { toNodeError } from '../request/nodeError';
import { type Operation, resource } from '../request/operation';
import { inputFailure } from '../request/receive';
import { connectionOptions } from '../request/requestOptions';
import { requestOperation } from '../request/routing';
import { requestOnce } from '../request/sendRequest';

const deliveryKey = locator(
	'deliveryKey',
	'Delivery Key',
	'searchDeliveries',
	'7f9c2ba4e88f827d',
)('The key that the gateway assigned when it deferred the message');

/** An expression for the whole field, and a workflow from before there was a list, have the key itself. */
function enteredKey(context: IExecuteSingleFunctions): unknown {
	const entered: unknown = context.getNodeParameter('deliveryKey');
	return isObject(entered) && '__rl' in entered ? entered.value : entered;
}

/** The URL of the delivery whose key the user entered. */
const deliveryUrl =
	({ path }: Endpoint) =>
	(context: IExecuteSingleFunctions) => ({
		url: deliveryPath(path, checkedKey(enteredKey(context))),
	});

/** An empty key would address the whole list; dot segments would address another path. */
function checkedKey(entered: unknown): string {
	const isText = typeof entered === 'string' || Number.isSafeInteger(entered);
	const key = isText ? String(entered).trim() : '';
	checkLength(key, "'Delivery Key'");
	if (key !== '' && !hasDotSegment(key) && key.isWellFormed()) return key;
	throw new InvalidInput(
		`'Delivery Key' is ${typeof entered === 'number' ? TOO_LARGE : key === '' ? 'empty' : 'not the key of a delivery'}`,
		"Enter the 'deliveryKey' of a deferred delivery. Deferred Delivery > Get Many lists them.",
	);
}

/** It has lost digits already, so it could be the key of another delivery. */
const TOO_LARGE = 'a number that is not exact: keys with this many digits must be text';

const notFound = {
	message: 'There is no deferred delivery with this key',
	description:
		"It was sent or deleted, or its delivery window ended. Deferred Delivery > Get Many lists the current ones. If it should exist, check 'Base URL' and 'Token' of the credential.",
};

const deleteDelivery: Operation = {
	option: ['delete', 'Delete', 'Delete deferred delivery'],
	description: 'Delete a deferred delivery permanently',
	...requestOperation(endpoints.deleteDeferred, {
		request: deliveryUrl(endpoints.deleteDeferred),
		successField: 'deleted',
		read: () => [{ json: { deleted: true } }],
		notFound,
	}),
	properties: [deliveryKey],
};

const NO_DELIVERY = {
	message: 'The response of the gateway contains no deferred delivery',
	description: `There may be none with this key. ${notFound.description}`,
};

const get: Operation = {
	option: ['get', 'Get', 'Get deferred delivery'],
	description: 'Get a deferred delivery by its key',
	...requestOperation(endpoints.getDeferred, {
		request: deliveryUrl(endpoints.getDeferred),
		read({ data }) {
			const delivery = deferredDelivery(data);
			return delivery ? [{ json: itemJson(delivery) }] : NO_DELIVERY;
		},
		notFound,
	}),
	properties: [deliveryKey],
};

const returnAll = toggle(
	'returnAll',
	'Return All',
)('Whether to return all results or only up to a given limit');
const limit = wholeNumber('limit', 'Limit', [1], 50)('Max number of results to return');

function limitOf(context: IExecuteSingleFunctions): number | undefined {
	const parameter = parametersOf(context);
	return flagOf(returnAll, parameter) ? undefined : numberOf(limit, parameter);
}

const UNREADABLE_LIST = {
	message: 'The response of the gateway contains no list of deferred deliveries that can be read',
	description:
		"Check 'Base URL' of the credential: it ends before /api/whatsapp. If it is right, get the list with an HTTP Request node and this credential.",
};

/** The list of Delivery Key. */
export async function searchDeliveries(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	const { method, path: url } = endpoints.listDeferred;
	const read = async () => {
		const request = { ...connectionOptions(this), method, url };
		return await requestOnce(this, await readAccount(this), request);
	};
	const result = await read().catch((thrown: unknown) => ({ failure: inputFailure(thrown) }));
	const deliveries = result && 'value' in result && listedDeliveries(result.value.data);
	if (!deliveries) {
		const failed = result && 'failure' in result ? result : notUsable(UNREADABLE_LIST);
		throw toNodeError(this.getNode(), failed);
	}
	const results = deliveries.map((delivery) => ({
		name: deliveryTitle(delivery),
		value: delivery.key,
	}));
	const wanted = filter.toLowerCase();
	return {
		results: results.filter(({ name, value }) => `${name} ${value}`.toLowerCase().includes(wanted)),
	};
}

const getAll: Operation = {
	option: ['getAll', 'Get Many', 'Get many deferred deliveries'],
	description: 'Get the messages that wait for the session',
	...requestOperation(endpoints.listDeferred, {
		request(context) {
			limitOf(context);
			return queryOf(context);
		},
		read(response, context) {
			const all = listedDeliveries(response.data)?.map(({ fields }) => fields);
			return all ? listItems(context, all, limitOf(context)) : UNREADABLE_LIST;
		},
	}),
	properties: [returnAll, ...shownFor({ returnAll: [false] }, limit), queryParameters],
};

export const deferred = resource('deferred', [deleteDelivery, get, getAll], 'getAll');
