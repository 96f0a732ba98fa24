import type {
	IDataObject,
	IExecuteFunctions,
	IExecuteSingleFunctions,
	INodeExecutionData,
} from 'n8n-workflow';

import { firstValues, isObject } from '../../../gateway/json';
import { contentType, type GatewayResponse } from '../../../gateway/wire/response';

/** With Retry On Fail, n8n takes a `json.error` in the first item for a failed run and runs the whole node again. */
const isTakenByN8n = (name: string, value: unknown) =>
	name === 'error' && value !== undefined && value !== null;

/** Far more than any response of a gateway. n8n copies items several times, which takes much more memory than their text. */
const MAX_VALUES = 250_000;

/** The gateway's fields. A field whose name n8n or the node itself uses is renamed: `gatewayError`. */
export function itemJson(received: Record<string, unknown>, own: IDataObject = {}): IDataObject {
	const fields = firstValues(received, MAX_VALUES);
	const isTaken = (name: string, value: unknown) =>
		isTakenByN8n(name, value) || Object.hasOwn(own, name);
	const taken = ['error', ...Object.keys(own)].filter((name) => Object.hasOwn(fields, name));
	if (!taken.some((name) => isTaken(name, fields[name]))) {
		return { ...(fields as IDataObject), ...own };
	}
	const renamed = Object.entries(fields).map(([name, value]) => {
		let free = name;
		while (isTaken(free, value) || (free !== name && Object.hasOwn(fields, free))) {
			free = `gateway${free[0]!.toUpperCase()}${free.slice(1)}`;
		}
		return [free, value] as const;
	});
	return { ...(Object.fromEntries(renamed) as IDataObject), ...own };
}

/** The response as one item: an object, or a list, text or nothing as a field. */
export function responseJson(response: GatewayResponse, own: IDataObject = {}): IDataObject {
	const data = firstValues(response.data, MAX_VALUES);
	const list = Array.isArray(data) ? (data as unknown[]) : undefined;
	const single = list && list.length < 2 ? list[0] : data;
	if (single === undefined || single === null) return { success: true, ...own };
	if (isObject(single)) return itemJson(single, own);
	const json = list ? { data } : { data, contentType: contentType(response) };
	return { ...(json as IDataObject), ...own };
}

/** n8n keeps all items of a run in memory, and stores and shows them. */
const MAX_ITEMS = 10_000;

type Context = Pick<IExecuteFunctions, 'addExecutionHints'> | IExecuteSingleFunctions;

/** One item per entry of a list. */
export function listItems(context: Context, list: unknown[], limit = MAX_ITEMS) {
	if (list.length > MAX_ITEMS && limit >= MAX_ITEMS && 'addExecutionHints' in context) {
		const message = `The list has more than ${MAX_ITEMS} entries. The node outputs only the first ${MAX_ITEMS}.`;
		context.addExecutionHints({ message, location: 'outputPane', type: 'warning' });
	}
	return firstValues(list.slice(0, Math.min(limit, MAX_ITEMS)), MAX_VALUES).map((entry) => ({
		json: itemJson(isObject(entry) ? entry : { data: entry }),
	}));
}

/** The response as items: one per entry of a list, otherwise one. */
export const plainItems = (response: GatewayResponse, context: Context): INodeExecutionData[] =>
	Array.isArray(response.data) && response.data.length > 0
		? listItems(context, response.data)
		: [{ json: responseJson(response) }];
