import type { IHttpRequestOptions, INodeProperties } from 'n8n-workflow';

import { checkLength } from '../../../gateway/inputValues';

export const queryParameters: INodeProperties = {
	displayName: 'Query Parameters',
	name: 'queryParameters',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add Query Parameter',
	default: {},
	description: 'Parameters of your gateway for filtering or paging. The API document shows none.',
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

/** The query parameters that the user entered. */
export function queryOf(context: {
	getNodeParameter(name: string, fallback: []): unknown;
}): Partial<IHttpRequestOptions> {
	const entered = context.getNodeParameter('queryParameters.parameters', []) as Array<{
		name: string;
		value: string;
	}>;
	const values = new Map<string, string[]>();
	for (const { name, value } of entered) {
		for (const text of [name, value]) checkLength(String(text), "'Query Parameters'");
		if (name) values.set(name, [...(values.get(name) ?? []), value]);
	}
	return { qs: Object.fromEntries(values), arrayFormat: 'repeat' };
}
