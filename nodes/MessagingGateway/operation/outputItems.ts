import {
	type IExecuteFunctions,
	type IDataObject,
	type INode,
	type INodeExecutionData,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

import { errorMessage, failureDetails } from '../../../gateway/failures/errorMessage';
import { retryPolicy } from '../../../gateway/failures/retryPolicy';
import { firstValues, isObject } from '../../../gateway/json';
import type { ErrorText, Failed, Result } from '../../../gateway/responses/failure';
import { contentType, type GatewayResponse } from '../../../gateway/wire/response';
import { n8nKeepsDetails } from '../n8n/errorItems';
import { type Item, itemIndexes } from './item';
import { cancelSignal } from '../n8n/cancelSignal';

/** Workflows branch on this phrase: it must not change. */
const MAY_HAVE_BEEN_SENT = 'unknown: it may have been sent';

/** No gateway's response has nearly as many. n8n copies items several times, which takes much more memory than their text. */
const MAX_ITEM_VALUES = 250_000;

/** Returns the gateway's fields with the node's own. Renames a field whose name n8n or the node uses, for example to `gatewayError`. */
export function itemJson(received: Record<string, unknown>, own: IDataObject = {}): IDataObject {
	const fields = firstValues(received, MAX_ITEM_VALUES);
	// With Retry On Fail, n8n treats `json.error` in the first item (in n8n 2.20 even null) as a failed run, and runs the whole node again.
	const isTaken = (name: string) => ['error', 'isTest'].includes(name) || Object.hasOwn(own, name);
	if (!Object.keys(fields).some(isTaken)) return { ...(fields as IDataObject), ...own };
	const renamed = Object.entries(fields).map(([name, value]) => {
		let free = name;
		while (isTaken(free) || (free !== name && Object.hasOwn(fields, free))) {
			free = `gateway${free[0]!.toUpperCase()}${free.slice(1)}`;
		}
		return [free, value] as const;
	});
	return { ...(Object.fromEntries(renamed) as IDataObject), ...own };
}

/** Returns the response as the JSON of one item. A list or text becomes the field `data`, and an empty response `success`. */
export function responseJson(response: GatewayResponse, own: IDataObject = {}): IDataObject {
	const list = Array.isArray(response.data) ? (response.data as unknown[]) : undefined;
	const single = list && list.length < 2 ? list[0] : response.data;
	if (single === undefined || single === null) return { success: true, ...own };
	if (isObject(single)) return itemJson(single, own);
	const data = firstValues(response.data, MAX_ITEM_VALUES);
	const json = list ? { data } : { data, contentType: contentType(response) };
	return { ...(json as IDataObject), ...own };
}

/** n8n keeps all items of a run in memory, and stores and shows them, so their number is limited. */
const MAX_ITEMS = 10_000;

const hintsOf = new WeakMap<IExecuteFunctions, Set<string>>();

/** Shows a hint above the output items, once per run. Does nothing in a tool call, whose context has no hints. */
export function addHint(
	context: IExecuteFunctions,
	message?: string | false,
	type: 'info' | 'warning' = 'warning',
) {
	if (!message || !('addExecutionHints' in context)) return;
	const hints = hintsOf.get(context) ?? new Set();
	if (hints.has(message)) return;
	hintsOf.set(context, hints.add(message));
	context.addExecutionHints({ message, type, location: 'outputPane' });
}

export function listItems({ context }: Item, list: unknown[], limit = MAX_ITEMS) {
	if (list.length > MAX_ITEMS && limit >= MAX_ITEMS) {
		const first = `The node outputs only the first ${MAX_ITEMS}.`;
		addHint(context, `The list has more than ${MAX_ITEMS} entries. ${first}`);
	}
	return firstValues(list.slice(0, Math.min(limit, MAX_ITEMS)), MAX_ITEM_VALUES).map((entry) => ({
		json: itemJson(isObject(entry) ? entry : { data: entry }),
	}));
}

export const plainItems = (response: GatewayResponse, item: Item): INodeExecutionData[] =>
	Array.isArray(response.data) && response.data.length > 0
		? listItems(item, response.data)
		: [{ json: responseJson(response) }];

/** The output items of one input item, or its failure. Undefined means that the execution was cancelled. */
export type ItemResult = Result<INodeExecutionData[]> | undefined;

export function outputItems(
	context: IExecuteFunctions,
	itemIndex: number,
	result: ItemResult,
): INodeExecutionData[] {
	// n8n pairs neither these items nor failed ones with their input, so the node does.
	if (result && 'value' in result) {
		return result.value.map((item) => ({ ...item, pairedItem: { item: itemIndex } }));
	}
	// Don't report a cancelled execution as failed.
	if (!result || cancelSignal(context).aborted) return [];
	return [errorItem(context, result, itemIndex)];
}

/**
 * Returns the error item of a failed item if the workflow continues on failure. Otherwise throws.
 *
 * n8n merges an item with its input at the error output only if its JSON has no keys beyond `error`, `message` and
 * `details`. With Retry On Fail, n8n would treat `json.error` as a failed run and send everything again, so the item has
 * `item.error` instead. n8n then outputs only the error's message.
 */
function errorItem(
	context: IExecuteFunctions,
	failed: Failed,
	itemIndex: number,
): INodeExecutionData {
	const error = toNodeError(context.getNode(), failed, itemIndex);
	if (!context.continueOnFail()) throw error;
	const pairedItem = { item: itemIndex };
	const { details } = error.context as { details: IDataObject };
	const { retryOnFail, onError } = context.getNode();
	if (retryOnFail) return { json: {}, error, pairedItem };
	const hasDetails = n8nKeepsDetails || onError !== 'continueErrorOutput';
	return { json: { error: error.message, ...(hasDetails ? { details } : {}) }, pairedItem };
}

export const errorItemsForAll = (context: IExecuteFunctions, failed: Failed) =>
	itemIndexes(context).map((index) => errorItem(context, failed, index));

const NOT_TRIED =
	'This message was not sent: the gateway had rejected the messages before it for too long.';

const NOTHING_SENT = 'Nothing was sent.';
const MAY_HAVE_ARRIVED = 'An earlier attempt may have arrived: check it before you send it again.';
const UNREAD = 'The status of the session could not be read: ';

const REST_NOT_SENT =
	'The parts after it were not sent. If you send the message again, only an idempotency key keeps parts from arriving twice.';

const CHECK_FIRST = 'Check whether it arrived before you send it again';

/** In n8n Agents, the model reads only the message, so it also contains what to do. That of an invalid input says it already. */
function adviceForModel({ type }: INode, { failure, isUncertain }: Failed): string {
	if (!type?.endsWith('Tool') || failure.kind === 'invalidInput') return '';
	const [advice] = errorMessage(failure).description.split(/\.(?=\s|$)/);
	return `. ${isUncertain ? CHECK_FIRST : advice}`;
}

/** Returns the node's error. It is built from texts only, because the original error contains the URL and with it the token. */
export function toNodeError(
	node: INode,
	failed: Failed,
	itemIndex?: number,
	/** Reports the results of the other messages of a run that stopped. */
	summary?: ErrorText,
): NodeApiError | NodeOperationError {
	const { failure, attempts = 1, isUncertain, parts, test, isBeforeSending } = failed;
	// Texts for a dialog do not suggest that a message was sent.
	const text = errorMessage(failure, isBeforeSending);
	const isInput = failure.kind === 'invalidInput';
	const prefix = test ? `${test}: ` : isBeforeSending && failure.kind !== 'notUsable' ? UNREAD : '';
	const messages = [
		prefix + text.message,
		isUncertain && MAY_HAVE_BEEN_SENT,
		// The limits of a tool reject a message as a whole, before its first part.
		parts &&
			(parts.sent > 0 || !isInput) &&
			`part ${parts.sent + 1} failed, ${parts.sent} of ${parts.of} parts were sent`,
		summary?.message,
	];
	// n8n's editor recognizes this suffix and does not add its own.
	const item = itemIndex === undefined ? '' : ` [item ${itemIndex}]`;
	const message = messages.filter(Boolean).join('; ') + adviceForModel(node, failed) + item;
	const description = [
		isBeforeSending && !text.description.startsWith(NOTHING_SENT) && NOTHING_SENT,
		isUncertain ? text.description.replace(NOTHING_SENT, MAY_HAVE_ARRIVED) : text.description,
		attempts === 0 && retryPolicy(failure).isRateLimit && NOT_TRIED,
		attempts > 1 && `The node made ${attempts} attempts.`,
		parts && (parts.sent > 0 || isUncertain) && REST_NOT_SENT,
		summary?.description,
	]
		.filter(Boolean)
		.join(' ');
	// The code of a connection failure is left out, because n8n would replace the message with its own.
	const httpCode = failure.kind === 'rejected' ? String(failure.response.status) : undefined;
	const error = isInput
		? new NodeOperationError(node, message, { description, itemIndex })
		: new NodeApiError(node, {}, { message, description, httpCode, itemIndex });
	// Error workflows read these details. errorItem copies them into the item.
	const details = failureDetails(failed);
	// In a live run that became a rehearsal, something may have been sent before.
	const isTest = test !== undefined || (text.cause === 'rehearsal' && details.retry === 'never');
	error.context.details = { ...details, ...(isTest && { isTest }) };
	return error;
}
