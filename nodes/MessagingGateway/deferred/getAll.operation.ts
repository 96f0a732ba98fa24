import {
	type IExecuteSingleFunctions,
	type IHttpRequestOptions,
	type INodeProperties,
	updateDisplayOptions,
} from 'n8n-workflow';

import { deferredDeliveries } from '../../../gateway/answer';
import { itemJson, plainItems, reading } from '../items';
import { queryOf, queryParameters } from './queryParameters';

export const properties: INodeProperties[] = updateDisplayOptions(
	{ show: { resource: ['deferred'], operation: ['getAll'] } },
	[
		{
			displayName: 'Return All',
			name: 'returnAll',
			type: 'boolean',
			default: false,
			description: 'Whether to return all results or only up to a given limit',
		},
		{
			displayName: 'Limit',
			name: 'limit',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 50,
			description: 'Max number of results to return',
			displayOptions: { show: { returnAll: [false] } },
		},
		queryParameters,
	],
);

export async function addQuery(
	this: IExecuteSingleFunctions,
	request: IHttpRequestOptions,
): Promise<IHttpRequestOptions> {
	return { ...request, ...queryOf(this) };
}

export const read = reading(function (answer) {
	const deliveries = deferredDeliveries(answer.data)?.map((json) => ({ json: itemJson(json) }));
	const items = deliveries ?? plainItems(answer);
	const returnAll = this.getNodeParameter('returnAll', false) === true;
	const limit = Number(this.getNodeParameter('limit', 50));
	return returnAll ? items : items.slice(0, Math.max(1, limit || 50));
});
