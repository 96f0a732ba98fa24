import type {
	IDataObject,
	IExecuteSingleFunctions,
	IN8nHttpFullResponse,
	INodeExecutionData,
} from 'n8n-workflow';

import { type Answer, contentType, isObject, isRefused } from '../../gateway/answer';
import type { Explanation } from '../../gateway/explanation';
import { answerFrom, redactorOf } from './exchange';
import { refusedByGateway } from './refusals';

/** What an operation makes of an answer that is no refusal. */
export type Reader = (
	this: IExecuteSingleFunctions,
	answer: Answer,
) => INodeExecutionData[] | Promise<INodeExecutionData[]>;

interface Refusals {
	/** Refusals that are an outcome of this operation. */
	expected?: (answer: Answer) => INodeExecutionData[] | undefined;
	/** What a 404 of a gateway means to this operation. */
	notFound?: Explanation;
}

/** Items of one answer, each paired with the item it came from. */
export function reading(read: Reader, { expected, notFound }: Refusals = {}) {
	return async function (
		this: IExecuteSingleFunctions,
		_items: INodeExecutionData[],
		response: IN8nHttpFullResponse,
	): Promise<INodeExecutionData[]> {
		const item = this.getItemIndex();
		const answer = answerFrom(response, await redactorOf(this));
		const items = isRefused(answer) ? expected?.(answer) : await read.call(this, answer);
		if (!items) throw refusedByGateway(this.getNode(), item, answer, notFound);
		return items.map((output) => ({ ...output, pairedItem: { item } }));
	};
}

/**
 * n8n takes a `json.error` for a failed run and, with Retry On Fail, runs the whole node again:
 * what the gateway calls `error` inside a good answer goes by another name.
 */
export function itemJson(object: Record<string, unknown>): IDataObject {
	if (object.error === undefined || object.error === null) return object as IDataObject;
	const { error, ...rest } = object;
	return { ...rest, gatewayError: error };
}

/** An answer as it is: an object, a list of them, text, or nothing at all. */
export function plainItems(answer: Answer): INodeExecutionData[] {
	return plainJson(answer).map((json) => ({ json }));
}

function plainJson(answer: Answer): IDataObject[] {
	const { data } = answer;
	if (data === undefined || data === null) return [{ success: true }];
	if (Array.isArray(data)) {
		if (data.length === 0) return [{ success: true }];
		return data.map((entry: unknown) => itemJson(isObject(entry) ? entry : { data: entry }));
	}
	return [isObject(data) ? itemJson(data) : { data, contentType: contentType(answer) }];
}
