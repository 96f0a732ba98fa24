import type {
	IDataObject,
	IExecuteSingleFunctions,
	IN8nHttpFullResponse,
	INodeExecutionData,
} from 'n8n-workflow';

import { type Answer, contents, contentType, isObject, refusal } from '../../gateway/answer';
import type { Explanation } from '../../gateway/explanation';
import { asAnswer, redactorOf } from './exchange';
import { type Redact, refusedByGateway } from './refusals';

/** What an operation makes of an answer; `redact` has been over `data` already. */
export interface Accepted {
	answer: Answer;
	data: unknown;
	redact: Redact;
}

export type Reader = (
	this: IExecuteSingleFunctions,
	accepted: Accepted,
) => INodeExecutionData[] | Promise<INodeExecutionData[]>;

const isAccepted = ({ status }: Answer) => status >= 200 && status < 300;

/** A refusal that came with a good status: an `error` code, and nothing that was asked for. */
function isRefusalInDisguise(data: unknown): boolean {
	const words = ['error', 'code', 'message', 'details', 'success', 'ok', 'statusCode'];
	return (
		isObject(data) &&
		(typeof data.error === 'string' || isObject(data.error)) &&
		refusal(data).code !== undefined &&
		Object.keys(data).every((name) => words.includes(name))
	);
}

export function isRefused(answer: Answer): boolean {
	return !isAccepted(answer) || isRefusalInDisguise(contents(answer));
}

/** Items of one answer, each paired with the item it came from. */
export function reading(
	read: Reader,
	{
		expected = () => undefined,
		notFound,
	}: {
		/** Refusals that are an outcome of this operation. */
		expected?: (answer: Answer) => INodeExecutionData[] | undefined;
		/** What a 404 of a gateway means to this operation. */
		notFound?: Explanation;
	} = {},
) {
	return async function (
		this: IExecuteSingleFunctions,
		_items: INodeExecutionData[],
		response: IN8nHttpFullResponse,
	): Promise<INodeExecutionData[]> {
		const answer = asAnswer(response);
		const redact = await redactorOf(this);
		const item = this.getItemIndex();
		const items =
			expected(answer) ??
			(isRefused(answer)
				? undefined
				: await read.call(this, { answer, data: redact(contents(answer)), redact }));
		if (!items) throw refusedByGateway(this.getNode(), item, { answer, redact, notFound });
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
export function plainJson({ answer, data }: Pick<Accepted, 'answer' | 'data'>): IDataObject[] {
	if (data === undefined || data === null) return [{ success: true }];
	if (Array.isArray(data)) {
		return data.map((entry: unknown) =>
			isObject(entry) ? itemJson(entry) : itemJson({ data: entry }),
		);
	}
	if (isObject(data)) return [itemJson(data)];
	return [{ data, contentType: contentType(answer) }];
}

const asItems: Reader = (accepted) => plainJson(accepted).map((json) => ({ json }));

export const plainItems = reading(asItems);

/** As it is, where a 404 means that the thing asked for does not exist. */
export const plainItemsOf = (notFound: Explanation) => reading(asItems, { notFound });
