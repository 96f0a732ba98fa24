import {
	type FunctionsBase,
	type INode,
	type INodeExecutionData,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

import type { Answer } from '../../gateway/answer';
import { type Explanation, explain, explainConnection } from '../../gateway/explanation';
import { InvalidInput } from '../../gateway/invalidInput';

/** n8n's editor looks for this very form, so that it does not add it a second time. */
const naming = (message: string, itemIndex: number) => `${message} [item ${itemIndex}]`;

/** Nothing of the original is carried over: it knows the URL, and with it the token. */
function apiRefusal(
	node: INode,
	itemIndex: number,
	httpCode: string | undefined,
	words: { message: string; description: string },
): NodeApiError {
	return new NodeApiError(
		node,
		{},
		{
			message: naming(words.message, itemIndex),
			description: words.description,
			httpCode,
			itemIndex,
		},
	);
}

/** The gateway answered, and the answer is no. */
export function refusedByGateway(
	node: INode,
	itemIndex: number,
	answer: Answer,
	notFound?: Explanation,
) {
	return apiRefusal(node, itemIndex, String(answer.status), explain(answer, Date.now(), notFound));
}

/** Down the chain of what n8n wraps: the reason why nothing was sent, or the code of the connection that broke. */
function reason(thrown: unknown): InvalidInput | NodeOperationError | string | undefined {
	let error = thrown as { code?: unknown; cause?: unknown } | null | undefined;
	for (let depth = 0; typeof error === 'object' && error !== null && depth < 5; depth++) {
		if (error instanceof InvalidInput || error instanceof NodeOperationError) return error;
		if (typeof error.code === 'string') return error.code;
		error = error.cause as typeof error;
	}
	return thrown instanceof NodeApiError ? '' : undefined;
}

/** Nothing was sent, or no answer came. What has been put into words already stays as it is. */
function inWords(
	node: INode,
	itemIndex: number,
	thrown: unknown,
): NodeApiError | NodeOperationError {
	if (thrown instanceof NodeApiError && thrown.cause === undefined) return thrown;
	const because = reason(thrown);
	if (because instanceof NodeOperationError) return because;
	if (because instanceof InvalidInput) {
		return new NodeOperationError(node, naming(because.message, itemIndex), {
			description: because.description,
			itemIndex,
		});
	}
	if (because === undefined) return new NodeOperationError(node, thrown as Error, { itemIndex });
	// Without the code: n8n would put its own words for it in place of ours.
	return apiRefusal(node, itemIndex, undefined, explainConnection(because));
}

/** The item that stands for one that went wrong; thrown where the user wants the workflow to stop. */
export function refusedItem(
	context: Pick<FunctionsBase, 'getNode'> & { continueOnFail(): boolean },
	item: number,
	thrown: unknown,
): INodeExecutionData {
	const error = inWords(context.getNode(), item, thrown);
	if (!context.continueOnFail()) throw error;
	return { json: {}, error, pairedItem: { item } };
}
