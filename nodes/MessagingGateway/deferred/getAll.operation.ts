import {
	type IExecuteSingleFunctions,
	type IHttpRequestOptions,
	type INodeProperties,
	updateDisplayOptions,
} from 'n8n-workflow';

import { deferredDeliveries } from '../../../gateway/answer';
import { itemJson, plainItems, reading } from '../items';

export const queryParameters: INodeProperties = {
	displayName: 'Query Parameters',
	name: 'queryParameters',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add Query Parameter',
	default: {},
	description: 'What your gateway offers for filtering or paging; its API document shows none',
	options: [
		{
			displayName: 'Parameter',
			name: 'parameters',
			values: [
				{ displayName: 'Name', name: 'name', type: 'string', default: '' },
				{ displayName: 'Value', name: 'value', type: 'string', default: '' },
			],
		},
	],
};

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

/** What was entered under Query Parameters, as a part of the request. */
export function queryOf(context: {
	getNodeParameter(name: string, fallback: []): unknown;
}): Partial<IHttpRequestOptions> {
	const entered = context.getNodeParameter('queryParameters.parameters', []) as Array<{
		name: string;
		value: string;
	}>;
	const values = new Map<string, string[]>();
	for (const { name, value } of entered) {
		if (name) values.set(name, [...(values.get(name) ?? []), value]);
	}
	return { qs: Object.fromEntries(values), arrayFormat: 'repeat' };
}

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
