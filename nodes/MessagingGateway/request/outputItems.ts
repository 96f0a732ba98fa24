import type {
	FunctionsBase,
	IExecuteFunctions,
	IExecuteSingleFunctions,
	INodeExecutionData,
} from 'n8n-workflow';

import type { Failed, Result } from '../../../gateway/replies/failure';
import { toNodeError } from './nodeError';
import { cancelSignal } from './receive';

/** The output items of one input item, or why there are none. Undefined if the execution was cancelled. */
export type ItemResult = Result<INodeExecutionData[]> | undefined;

export function outputItems(
	context: IExecuteFunctions | IExecuteSingleFunctions,
	itemIndex: number,
	result: ItemResult,
): INodeExecutionData[] {
	// n8n pairs neither these items nor failed ones.
	if (result && 'value' in result) {
		return result.value.map((item) => ({ ...item, pairedItem: { item: itemIndex } }));
	}
	// Don't report a cancelled execution as failed.
	if (!result || cancelSignal(context).aborted) return [];
	return [failedItem(context, result, itemIndex)];
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
