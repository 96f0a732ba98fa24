import type {
	DeclarativeRestApiSettings,
	IDataObject,
	IExecuteFunctions,
	IExecutePaginationFunctions,
	IExecuteSingleFunctions,
	IHttpRequestOptions,
	INodeExecutionData,
} from 'n8n-workflow';

import type { Endpoint } from '../../../gateway/wire/endpoints';
import { type ErrorText, notUsable } from '../../../gateway/replies/failure';
import type { SuccessField } from '../../../gateway/replies/outcome';
import type { GatewayResponse } from '../../../gateway/wire/response';
import { readAccount } from './account';
import { batching, connectionOptions } from './requestOptions';
import type { Operation } from './operation';
import { type ItemResult, outputItems } from './outputItems';
import { requestOnce } from './sendRequest';
import { cancelSignal, inputFailure } from './receive';
import { steadyClock } from './steadyClock';

/** The context of a run, or of a tool call, which is already that of its item. */
export type ItemsContext = IExecuteFunctions | IExecuteSingleFunctions;

type RunItem = (
	context: IExecuteSingleFunctions,
	request: Partial<IHttpRequestOptions>,
) => Promise<ItemResult>;

type ItemOperation = Pick<Operation, 'routing' | 'customOperation'>;

/** The same function runs each item of a workflow, and the item of a tool call. */
export const itemOperation = (run: RunItem): ItemOperation => ({
	routing: itemRouting(run),
	customOperation: itemsInWorkflow(run),
});

export const itemRouting = (run: RunItem): Operation['routing'] =>
	toolRouting(async (context, request) => {
		const result = await resultOf(async () => await run(context, request));
		return outputItems(context, context.getItemIndex(), result);
	});

/**
 * Declared as the pagination of the request, because n8n hands only that function the whole request, and with it
 * the error of a broken connection, which contains the URL.
 */
export const toolRouting = (
	run: (
		context: IExecuteSingleFunctions,
		request: IHttpRequestOptions,
	) => Promise<INodeExecutionData[]>,
): Operation['routing'] => ({
	send: { paginate: true },
	operations: {
		async pagination(
			this: IExecutePaginationFunctions,
			{ options }: DeclarativeRestApiSettings.ResultOptions,
		) {
			return await run(this, options as IHttpRequestOptions);
		},
	},
});

/**
 * n8n's declarative engine reads the credential before the first item. If that fails, it passes all items on as if
 * they had succeeded, so in a workflow it is not used.
 */
const itemsInWorkflow = (run: RunItem): Operation['customOperation'] =>
	async function (this: IExecuteFunctions) {
		const { size, breakMs } = batching(this);
		const running: Array<Promise<ItemResult>> = [];
		for (const itemIndex of itemIndexes(this)) {
			if (itemIndex > 0 && itemIndex % size === 0 && breakMs > 0) {
				await steadyClock.sleepUntil(steadyClock.now() + breakMs, cancelSignal(this));
			}
			const context = itemContext(this, itemIndex);
			running.push(resultOf(async () => await run(context, connectionOptions(this))));
		}
		const results = await Promise.all(running);
		return [results.flatMap((result, itemIndex) => outputItems(this, itemIndex, result))];
	};

const resultOf = async (run: () => Promise<ItemResult>) =>
	await run().catch((thrown: unknown): ItemResult => ({ failure: inputFailure(thrown) }));

/** A tool call is a run of one item. */
export const itemIndexes = (context: ItemsContext): number[] =>
	'getItemIndex' in context ? [context.getItemIndex()] : [...context.getInputData().keys()];

/** The context of one item, as n8n's declarative engine provides it. */
export function itemContext(context: ItemsContext, itemIndex: number): IExecuteSingleFunctions {
	if ('getItemIndex' in context) return context;
	const value = (own: unknown) => ({ value: own });
	const helpers = () => ({
		...context.helpers,
		assertBinaryData: (field: string) => context.helpers.assertBinaryData(itemIndex, field),
		getBinaryDataBuffer: async (field: string) =>
			await context.helpers.getBinaryDataBuffer(itemIndex, field),
	});
	return Object.create(context, {
		getItemIndex: value(() => itemIndex),
		getInputData: value(() => context.getInputData()[itemIndex]),
		getCredentials: value(async (type: string) => await context.getCredentials(type, itemIndex)),
		getNodeParameter: value((name: string, fallback?: IDataObject) =>
			context.getNodeParameter(name, itemIndex, fallback),
		),
		helpers: { get: helpers },
	}) as IExecuteSingleFunctions;
}

interface RequestOperation {
	/** What the operation adds to the request: a body, query parameters or a path. */
	request?: (context: IExecuteSingleFunctions) => Partial<IHttpRequestOptions>;
	/** For operations that do something. */
	successField?: SuccessField;
	/** The items of a response, or why it cannot be read. */
	read: (
		response: GatewayResponse,
		context: IExecuteSingleFunctions,
	) => INodeExecutionData[] | ErrorText | Promise<INodeExecutionData[]>;
	/** Error responses that are a result of this operation. */
	readRejected?: (response: GatewayResponse) => INodeExecutionData[] | undefined;
	/** What a 404 means to this operation. */
	notFound?: ErrorText;
}

/** An operation that sends one request per item, without retries. */
export const requestOperation = (
	{ method, path }: Endpoint,
	{ request: parts, successField, read, readRejected, notFound }: RequestOperation,
): ItemOperation =>
	itemOperation(async (context, options) => {
		const request = { ...options, method, url: path, ...parts?.(context) };
		const result = await requestOnce(context, await readAccount(context), request, {
			successField,
		});
		if (!result) return undefined;
		if ('value' in result) {
			const items = await read(result.value, context);
			return Array.isArray(items) ? { value: items } : notUsable(items);
		}
		const { failure } = result;
		if (failure.kind !== 'rejected') return result;
		const items = readRejected?.(failure.response);
		return items ? { value: items } : { failure: { ...failure, notFound } };
	});
