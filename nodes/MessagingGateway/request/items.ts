import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { isObject } from '../../../gateway/json';
import { contentType, type GatewayResponse } from '../../../gateway/response';

/**
 * With Retry On Fail, n8n takes a `json.error` in the first item for a failed run and runs the whole node again,
 * so the gateway's own `error` gets another name.
 */
export function itemJson(object: Record<string, unknown>): IDataObject {
	if (object.error === undefined || object.error === null) return object as IDataObject;
	const { error, ...rest } = object;
	return { ...rest, gatewayError: error };
}

/** The response as items: an object, a list, text, or nothing. */
export function plainItems(response: GatewayResponse): INodeExecutionData[] {
	const { data } = response;
	if (data === undefined || data === null) return [{ json: { success: true } }];
	if (Array.isArray(data)) {
		if (data.length === 0) return [{ json: { success: true } }];
		return data.map((entry: unknown) => ({
			json: itemJson(isObject(entry) ? entry : { data: entry }),
		}));
	}
	if (isObject(data)) return [{ json: itemJson(data) }];
	return [{ json: { data, contentType: contentType(response) } }];
}
