import {
	type FunctionsBase,
	type INode,
	type INodeExecutionData,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

import { type ErrorText, MAY_HAVE_BEEN_SENT } from '../../../gateway/errorCatalog';
import { errorMessage } from '../../../gateway/errorMessage';
import type { Failed } from '../../../gateway/failure';

/** Built from texts only: the original error contains the URL, and with it the token. */
export function toNodeError(
	node: INode,
	{ failure, attempts = 1, isUncertain }: Failed,
	itemIndex?: number,
	/** The results of the other messages of the run. */
	summary?: ErrorText,
): NodeApiError | NodeOperationError {
	// The clocks are compared at the time of the response, not at the end of the run.
	const now = failure.kind === 'rejected' ? failure.receivedAt : Date.now();
	const text = errorMessage(failure, now);
	const messages = [text.message, isUncertain && MAY_HAVE_BEEN_SENT, summary?.message];
	// n8n's editor recognises this suffix and does not add another one.
	const item = itemIndex === undefined ? '' : ` [item ${itemIndex}]`;
	const message = messages.filter(Boolean).join('; ') + item;
	const description = [
		text.description,
		attempts > 1 && `The node made ${attempts} attempts.`,
		summary?.description,
	]
		.filter(Boolean)
		.join(' ');
	if (failure.kind === 'invalidInput') {
		return new NodeOperationError(node, message, { description, itemIndex });
	}
	// Without the code of a connection failure, which would make n8n replace the message.
	const httpCode = failure.kind === 'rejected' ? String(failure.response.status) : undefined;
	return new NodeApiError(node, {}, { message, description, httpCode, itemIndex });
}

/**
 * The item that stands for a failed one if the workflow continues. Throws if it stops.
 *
 * n8n merges an item that has nothing but `json.error` with its input when it leaves by the error output. With Retry
 * On Fail, however, n8n would take it for a failed run and send everything again.
 */
export function failedItem(
	context: Pick<FunctionsBase, 'getNode'> & { continueOnFail(): boolean },
	failed: Failed,
	itemIndex: number,
): INodeExecutionData {
	const error = toNodeError(context.getNode(), failed, itemIndex);
	if (!context.continueOnFail()) throw error;
	const pairedItem = { item: itemIndex };
	const { onError, retryOnFail } = context.getNode();
	return onError === 'continueErrorOutput' && !retryOnFail
		? { json: { error: error.message }, pairedItem }
		: { json: {}, error, pairedItem };
}
