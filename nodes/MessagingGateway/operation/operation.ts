import {
	type IDataObject,
	type IExecuteFunctions,
	type IHttpRequestOptions,
	type INodeExecutionData,
	type INodeProperties,
	NodeOperationError,
} from 'n8n-workflow';

import { type ErrorText, notUsable, type Result } from '../../../gateway/responses/failure';
import { InvalidInput } from '../../../gateway/inputValues';
import type { Confirmation } from '../../../gateway/responses/dialect';
import type { Endpoint } from '../../../gateway/wire/endpoints';
import { namesOf } from '../../../gateway/wire/guard';
import type { GatewayResponse } from '../../../gateway/wire/response';
import { shownFor } from '../fields/field';
import { CREDENTIAL, readAccount } from '../request/account';
import { checkRequestOptions, type Item, itemIndexes, itemReader } from './item';
import { addHint, errorItemsForAll, type ItemResult, outputItems, plainItems } from './outputItems';
import { failureInInput, readForRun } from '../request/inputErrors';
import { isModelCall } from '../n8n/toolCalls';
import { connectionOptions } from '../request/requestOptions';
import { sendNonMessage } from '../request/sendRequest';
import { isStoppedByRehearsal, rehearsalHint } from '../sending/rehearsal';

export interface Operation {
	/** The value and name of its entry in the Operation field, and `action`, its name in the nodes panel. */
	option: [value: string, name: string, action: string];
	description: string;
	/** Tells n8n's assistant, which drafts workflows, how to use the operation. */
	builderHint?: string;
	execute: (context: IExecuteFunctions) => Promise<INodeExecutionData[]>;
	properties?: INodeProperties[];
}

const noOperation = () =>
	new InvalidInput(
		"'Resource' and 'Operation' name no operation",
		'Choose both in the editor. They take no expressions.',
	);

/** Runs the operation that the parameters name. If there is none, for example because of an expression, every item fails. */
export async function runOperation(
	context: IExecuteFunctions,
	resources: Record<string, Record<string, Operation['execute']>>,
): Promise<INodeExecutionData[]> {
	const { resource, operation } = context.getNode().parameters;
	const run = Object.entries(resources)
		.filter(([name]) => name === resource)
		.flatMap(([, operations]) => Object.entries(operations))
		.find(([name]) => name === operation)?.[1];
	if (!run) return errorItemsForAll(context, failureInInput(noOperation()));
	return isModelCall(context) ? await withoutNumbers(context, run) : await run(context);
}

/** Runs an operation. If the credential has names, its results contain no digits of a recipient. */
async function withoutNumbers(context: IExecuteFunctions, run: Operation['execute']) {
	const ofItems = itemIndexes(context).map(async (index) =>
		namesOf(await context.getCredentials(CREDENTIAL, index)),
	);
	// The run itself fails if the credential cannot be read.
	const lists = (await Promise.all(ofItems).catch(() => [])).flatMap((names) => names ?? []);
	if (lists.length === 0) return await run(context);
	const hide = <T>(data: T) => lists.reduce((shown, names) => names.hide(shown), data);
	// n8n stores all of an error, also its stack and its causes, so another one replaces it.
	const hidden = ({ message, description, context: details }: NodeOperationError) =>
		Object.assign(
			new NodeOperationError(context.getNode(), hide(message)),
			hide({ description, context: details }),
		);
	const items = await run(context).catch(
		async (thrown: NodeOperationError) => await Promise.reject(hidden(thrown)),
	);
	return items.map(({ json, error, ...item }) => ({
		...item,
		...(error && { error: hidden(error as NodeOperationError) }),
		json: hide(json),
	}));
}

export const resource = (name: string, operations: Operation[], defaultOperation: string) => ({
	properties: [
		{
			displayName: 'Operation',
			name: 'operation',
			type: 'options',
			noDataExpression: true,
			displayOptions: { show: { resource: [name] } },
			options: operations.map(({ option: [value, label, action], description, builderHint }) => ({
				name: label,
				value,
				action,
				description,
				builderHint: builderHint ? { propertyHint: builderHint } : undefined,
			})),
			default: defaultOperation,
		} satisfies INodeProperties,
		...operations.flatMap(({ option: [operation], properties = [] }) =>
			// n8n evaluates conditions in order and shows a field as soon as one depends on an expression, so these two come first.
			shownFor({ resource: [name], operation: [operation] }, ...properties),
		),
	],
	operations: Object.fromEntries(
		operations.map(({ option: [value], execute }) => [value, execute]),
	),
});

/** Runs the items at the same time, at most `atOnce` of them. `start` is called once per run, and returns what processes an item. */
export const eachItem = (
	atOnce: number,
	start: () => (item: Item) => Promise<ItemResult>,
): Operation['execute'] =>
	async function (context) {
		const checked = readForRun(() => checkRequestOptions(context));
		if ('failure' in checked) return errorItemsForAll(context, checked);
		const run = start();
		const itemAt = itemReader(context);
		const resultOf = async (index: number) => await run(itemAt(index));
		const left = itemIndexes(context);
		const output: INodeExecutionData[][] = [];
		while (left.length > 0) {
			const indexes = left.splice(0, atOnce);
			const running = indexes.map(async (index) => await resultOf(index).catch(failureInInput));
			const results = await Promise.all(running);
			output.push(indexes.flatMap((index, at) => outputItems(context, index, results[at])));
		}
		const items = output.flat();
		addHint(context, rehearsalHint(items.filter(({ json }) => json.isTest).length));
		return items;
	};

/** Hundreds of requests at once could look like an attack. */
const REQUESTS_AT_ONCE = 20;

interface RequestOperation extends Omit<Operation, 'execute'> {
	endpoint: Endpoint;
	request?: (item: Item) => Partial<IHttpRequestOptions>;
	/** How the gateway confirms success. Operations that only read have none. */
	confirmation?: Confirmation;
	/** Returns the items of a response, or an error text if the response cannot be read. */
	read?: (
		response: GatewayResponse,
		item: Item,
	) => INodeExecutionData[] | ErrorText | Promise<INodeExecutionData[]>;
	/** Returns items for an error response that is a valid result of this operation. */
	readRejected?: (response: GatewayResponse) => INodeExecutionData[] | undefined;
	/** What its item says in a rehearsal, besides that it was one. */
	rehearsed?: IDataObject;
	/** The error text of a 404, which means something else to each operation. */
	notFound?: ErrorText;
}

export const rehearsedResult = (result: Result<unknown>, json?: IDataObject): ItemResult =>
	isStoppedByRehearsal(result)
		? { value: [{ json: { ...json, outcome: 'rehearsed', isTest: true } }] }
		: undefined;

/** Creates an operation that sends one request per item, without retries. By default it outputs the response. */
export const requestOperation = ({
	endpoint: { method, path },
	request: added,
	confirmation,
	read = plainItems,
	readRejected,
	rehearsed,
	notFound,
	...declared
}: RequestOperation): Operation => ({
	...declared,
	execute: eachItem(REQUESTS_AT_ONCE, () => async (item) => {
		const { context, index } = item;
		const request = { ...connectionOptions(item.field), method, url: path, ...added?.(item) };
		const account = await readAccount(context, index);
		const result = await sendNonMessage(context, account, request, { confirmation });
		if (!result) return undefined;
		const simulated = rehearsedResult(result, rehearsed);
		if (simulated) return simulated;
		if ('value' in result) {
			const items = await read(result.value, item);
			return Array.isArray(items) ? { value: items } : notUsable(items);
		}
		const { failure } = result;
		if (failure.kind !== 'rejected') return result;
		const items = readRejected?.(failure.response);
		return items ? { value: items } : { failure: { ...failure, notFound } };
	}),
});
