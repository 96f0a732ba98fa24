import type { IExecuteFunctions, IHttpRequestOptions, INodeExecutionData } from 'n8n-workflow';

import type { Endpoint } from '../../../gateway/endpoints';
import type { RequestFailure } from '../../../gateway/failure';
import type { GatewayResponse } from '../../../gateway/response';
import { isDuplicateRejection, type Outcome, outcomeOf } from '../../../gateway/sendResult';
import { type Account, readAccount } from '../request/account';
import { connectionOptions } from '../request/connectionOptions';
import { plainItems } from '../request/items';
import { failedItem, toNodeError } from '../request/nodeError';
import type { Operation } from '../request/operation';
import { confirmed, itemRouting } from '../request/routing';
import { cancelSignal, type Context, failureOf, sendRequest } from '../request/sendRequest';
import { steadyClock } from '../request/steadyClock';
import type { MessageRate } from '../sending/messageRate';
import { sendWithRetries } from '../sending/retry';
import { type InvalidMessage, type Message, sendAll, type SentMessages } from '../sending/sendAll';
import { itemReader, singleItem } from './inputItem';
import {
	JSON_HEADERS,
	optionsOf,
	type PreparedMessage,
	type PrepareMessage,
} from './messageFields';
import { optionReader, retryLimits, type RunOptions, runOptions } from './sendOptions';
import { summary } from './summary';

export const messageOperation = (
	endpoint: Endpoint,
	prepare: PrepareMessage,
): Pick<Operation, 'routing' | 'customOperation'> => ({
	routing: messageRouting(endpoint, prepare),
	customOperation: sendItems(endpoint, prepare),
});

/** Sends the messages of all items of a run together. */
function sendItems({ method, path }: Endpoint, prepare: PrepareMessage) {
	return async function (this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const count = this.getInputData().length;
		const signal = cancelSignal(this);
		let request: IHttpRequestOptions;
		let options: RunOptions;
		try {
			request = { ...connectionOptions(this), method, url: path };
			options = runOptions(this);
		} catch (thrown) {
			const failure = failureOf(thrown);
			return [indexes(count).map((itemIndex) => failedItem(this, failure, { itemIndex }))];
		}
		const accounts = new Map<string, Account>();
		const sent = await sendAll(
			preparedMessages(this, prepare, options, accounts),
			async (message) => await sendMessage(this, message.account, request, message),
			{ ...options, clock: steadyClock, signal, stopOnFailure: !this.continueOnFail() },
		);
		const hints = new Set([...accounts.values()].map(({ state }) => state.clockSkew.hint));
		for (const message of hints) {
			if (message) this.addExecutionHints({ message, location: 'outputPane', type: 'warning' });
		}
		// Don't report a cancelled execution as failed.
		return [signal.aborted ? [] : outputItems(this, count, sent)];
	};
}

/** The same for one item, when the node is used as a tool. */
const messageRouting = (endpoint: Endpoint, prepare: PrepareMessage) =>
	itemRouting(async (context, options) => {
		const request = { ...options, method: endpoint.method, url: endpoint.path };
		const item = singleItem(context);
		const message = prepare(item);
		const limits = retryLimits(optionReader(optionsOf(item)));
		const account = await readAccount(context);
		const signal = cancelSignal(context);
		const sent = await sendWithRetries(
			async () => await sendMessage(context, account, request, message),
			{
				...limits,
				clock: steadyClock,
				rateLimiter: account.state.rateLimiter,
				hasKey: message.hasKey,
				signal,
			},
		);
		return sent && ('result' in sent ? { items: sent.result } : sent);
	});

type AccountMessage = PreparedMessage & Message & { account: Account };

/** The messages in item order. Collects the accounts by their key; queues, rate and limits are per account. */
async function* preparedMessages(
	context: IExecuteFunctions,
	prepare: PrepareMessage,
	{ newMessageRate }: RunOptions,
	accounts: Map<string, Account>,
): AsyncGenerator<AccountMessage | InvalidMessage, undefined> {
	const itemAt = itemReader(context);
	const messageRates = new Map<string, MessageRate>();
	let account: Account | undefined;
	for (const index of context.getInputData().keys()) {
		try {
			if (!account || account.variesByItem) account = await readAccount(context, index);
			const { key, state } = account;
			const messageRate = messageRates.get(key) ?? newMessageRate();
			messageRates.set(key, messageRate);
			accounts.set(key, account);
			const message = prepare(itemAt(index));
			const chat = `${message.chat} ${key}`;
			yield { ...message, index, account, chat, messageRate, rateLimiter: state.rateLimiter };
		} catch (thrown) {
			yield { index, failure: failureOf(thrown) };
		}
	}
}

async function sendMessage(
	context: Context,
	account: Account,
	request: IHttpRequestOptions,
	{ body, hasKey }: PreparedMessage,
): Promise<{ result: INodeExecutionData[] } | { failure: RequestFailure }> {
	try {
		const headers = { ...request.headers, ...JSON_HEADERS };
		const message = { ...request, headers, body: await body() };
		const sent = confirmed(await sendRequest(context, account, message), 'sent');
		if ('response' in sent) return { result: messageItems(sent.response) };
		const { failure } = sent;
		const isDuplicate =
			hasKey && failure.kind === 'rejected' && isDuplicateRejection(failure.response);
		return isDuplicate ? { result: messageItems(failure.response, 'duplicate') } : sent;
	} catch (thrown) {
		return { failure: failureOf(thrown) };
	}
}

/** The response with the message's outcome. */
const messageItems = (response: GatewayResponse, outcome: Outcome = outcomeOf(response)) =>
	plainItems(response).map(({ json: { outcome: gatewayOutcome, ...json } }) => ({
		json: { ...json, ...(gatewayOutcome === undefined ? {} : { gatewayOutcome }), outcome },
	}));

/** In item order, each paired with its input item. */
function outputItems(
	context: IExecuteFunctions,
	count: number,
	{ results, stoppedBy }: SentMessages<INodeExecutionData[]>,
): INodeExecutionData[] {
	const stopped = stoppedBy === undefined ? undefined : results.get(stoppedBy);
	if (stopped && 'failure' in stopped) {
		throw toNodeError(context.getNode(), stopped.failure, {
			...stopped,
			itemIndex: stoppedBy,
			summary: summary(results, count),
		});
	}
	return indexes(count).flatMap((itemIndex) => {
		const result = results.get(itemIndex);
		if (!result) return [];
		if ('failure' in result) {
			return [failedItem(context, result.failure, { ...result, itemIndex })];
		}
		return result.result.map((item) => ({ ...item, pairedItem: { item: itemIndex } }));
	});
}

const indexes = (count: number) => Array.from({ length: count }, (_, index) => index);
