import type { IDataObject, IExecuteSingleFunctions, INodeExecutionData } from 'n8n-workflow';

import { type Answer, contentType, isObject, isRefused } from '../../gateway/answer';
import type { Explanation } from '../../gateway/explanation';
import { type Outcome, outcomeOf } from '../../gateway/outcome';
import { Refused } from './refusals';

/** What an operation makes of an answer that is no refusal. */
export type Reader = (
	this: IExecuteSingleFunctions,
	answer: Answer,
) => INodeExecutionData[] | Promise<INodeExecutionData[]>;

export type Reading = (
	this: IExecuteSingleFunctions,
	answer: Answer,
) => Promise<INodeExecutionData[]>;

interface Refusals {
	/** Refusals that are an outcome of this operation. */
	expected?: (answer: Answer) => INodeExecutionData[] | undefined;
	/** What a 404 of a gateway means to this operation. */
	notFound?: Explanation;
}

/** Items of one answer; `exchange` pairs them with the item they came from. */
export function reading(read: Reader, { expected, notFound }: Refusals = {}): Reading {
	return async function (this: IExecuteSingleFunctions, answer: Answer) {
		const items = isRefused(answer) ? expected?.(answer) : await read.call(this, answer);
		if (!items) throw new Refused(answer, notFound);
		return items;
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

/** The answer to a message, with what became of it beside. */
export function sentItems(answer: Answer, outcome: Outcome = outcomeOf(answer)) {
	return plainItems(answer).map(({ json: { outcome: gatewayOutcome, ...json } }) => ({
		json: { ...json, ...(gatewayOutcome === undefined ? {} : { gatewayOutcome }), outcome },
	}));
}

/** The same for a message that an earlier try has brought there. */
export const duplicateItems = (answer: Answer) => sentItems(answer, 'duplicate');

function plainJson(answer: Answer): IDataObject[] {
	const { data } = answer;
	if (data === undefined || data === null) return [{ success: true }];
	if (Array.isArray(data)) {
		if (data.length === 0) return [{ success: true }];
		return data.map((entry: unknown) => itemJson(isObject(entry) ? entry : { data: entry }));
	}
	return [isObject(data) ? itemJson(data) : { data, contentType: contentType(answer) }];
}
