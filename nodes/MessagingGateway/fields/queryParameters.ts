import type { IHttpRequestOptions } from 'n8n-workflow';

import { checkLength } from '../../../gateway/inputValues';
import { group, text } from './field';

export const queryParameters = group(
	'queryParameters',
	'Query Parameters',
	{},
	['parameters', 'Parameter'],
	[text('name', 'Name')(), text('value', 'Value')()],
	{ placeholder: 'Add Query Parameter', typeOptions: { multipleValues: true } },
)('Parameters of your gateway for filtering or paging. The API document shows none.');

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
