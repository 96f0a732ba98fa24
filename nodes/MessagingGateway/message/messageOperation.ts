import type { IExecuteFunctions, IHttpRequestOptions, INodeExecutionData } from 'n8n-workflow';

import type { Endpoint } from '../../../gateway/wire/endpoints';
import type { Failed, Result } from '../../../gateway/replies/failure';
import { isDuplicateRejection, type Outcome, outcomeOf } from '../../../gateway/replies/outcome';
import type { GatewayResponse } from '../../../gateway/wire/response';
import { type Account, readAccount } from '../request/account';
import { connectionOptions } from '../request/requestOptions';
import { itemJson, responseJson } from '../request/items';
import { toNodeError } from '../request/nodeError';
import type { Operation } from '../request/operation';
import { failedItem, outputItems } from '../request/outputItems';
import { cancelSignal, type Context, failureOf, withCancelSignal } from '../request/receive';
import { itemRouting } from '../request/routing';
import { sendRequest } from '../request/sendRequest';
import { steadyClock } from '../request/steadyClock';
import { Breaks } from '../sending/breaks';
import { sendMessage } from '../sending/retry';
import { RunPace } from '../sending/runPace';
import { type InvalidMessage, type Message, type RunResult, sendAll } from '../sending/sendAll';
import { itemReader, singleItem } from './inputItem';
import {
	JSON_HEADERS,
	optionsOf,
	type PreparedMessage,
	type PrepareMessage,
} from './messageFields';
import { messageOptions, optionReader, type RunOptions, runOptions } from './sendOptions';
import { summary } from './summary';
import { offlineReason } from './whenOffline';

/** Send and Send Media. `prepare` reads and checks the fields of an item. */
export const messageOperation = (
	endpoint: Endpoint,
	prepare: PrepareMessage,
): Pick<Operation, 'routing' | 'customOperation'> => ({
	/** In a workflow: sends the messages of all items together. */
	async customOperation(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [await sendMessages(this, endpoint, prepare)];
	},

	/** As a tool: sends one message. */
	routing: itemRouting(async (context, options) => {
		const request = { ...options, method: endpoint.method, url: endpoint.path };
		const item = singleItem(context);
		const message = prepare(item);
		const {
			pace: paceOptions,
			offline,
			maxAttempts,
			maxWaitMs,
		} = messageOptions(optionReader(optionsOf(item)));
		const account = await readAccount(context);
		const reason = offline && (await offlineReason(context, account, options, offline));
		if (reason) return reason;
		const pace = new RunPace(paceOptions, maxWaitMs, account.schedule);
		try {
			return await sendMessage<INodeExecutionData[]>(
				async (part, before) => await attempt(context, account, request, message, part, before),
				{
					maxAttempts,
					parts: message.parts,
					pace,
					hasKey: message.hasKey,
					load: loader(message),
					signal: cancelSignal(context),
				},
			);
		} finally {
			pace.leave();
		}
	}),
});

/** Sends the messages of all input items together, and returns the output items. */
export async function sendMessages(
	context: IExecuteFunctions,
	{ method, path }: Endpoint,
	prepare: PrepareMessage,
): Promise<INodeExecutionData[]> {
	const indexes = [...context.getInputData().keys()];
	const signal = cancelSignal(context);
	let connection: Partial<IHttpRequestOptions>;
	let options: RunOptions;
	try {
		connection = connectionOptions(context);
		options = runOptions(context);
	} catch (thrown) {
		const failure = failureOf(thrown);
		return indexes.map((itemIndex) => failedItem(context, { failure }, itemIndex));
	}
	const request = { ...connection, method, url: path };
	const accounts = new Map<string, AccountOfRun>();
	const ended = new AbortController();
	const end = () => ended.abort();
	signal.addEventListener('abort', end);
	const whileRunning = withCancelSignal(context, ended.signal);
	const { offline } = options;
	const checkOnline =
		offline &&
		(async (account: Account) =>
			await offlineReason(whileRunning, account, connection, offline).catch((thrown: unknown) => ({
				failure: failureOf(thrown),
			})));
	let run: RunResult<INodeExecutionData[]>;
	try {
		run = await sendAll(
			preparedMessages(context, prepare, options, accounts, checkOnline),
			async (message, part, before) =>
				await attempt(context, message.account, request, message, part, before),
			{ ...options, clock: steadyClock, signal, stopOnFailure: !context.continueOnFail() },
		);
	} finally {
		signal.removeEventListener('abort', end);
		// A run that is stopped by a failure may still wait for an account.
		end();
		for (const { pace } of accounts.values()) pace.leave();
	}
	addHints(context, [...accounts.values()]);
	if (!signal.aborted) throwIfStopped(context, run, indexes.length);
	return await allItems(context, run, indexes, signal);
}

interface AccountOfRun {
	account: Account;
	pace: RunPace;
	/** See Message. */
	ready?: Message['ready'];
}

type AccountMessage = Omit<PreparedMessage, 'load'> & Message & { account: Account };

function loader({ load }: PreparedMessage): Message['load'] {
	return (
		load &&
		(async () => {
			try {
				await load();
				return undefined;
			} catch (thrown) {
				return { failure: failureOf(thrown) };
			}
		})
	);
}

/** The messages in item order. Collects the accounts by their key; queues, pace and limits are per account. */
async function* preparedMessages(
	context: IExecuteFunctions,
	prepare: PrepareMessage,
	options: RunOptions,
	accounts: Map<string, AccountOfRun>,
	checkOnline?: (account: Account) => Promise<Failed | undefined>,
): AsyncGenerator<AccountMessage | InvalidMessage, undefined> {
	const itemAt = itemReader(context);
	let account: Account | undefined;
	for (const index of context.getInputData().keys()) {
		try {
			if (!account || account.variesByItem) account = await readAccount(context, index);
			const { key, schedule } = account;
			const ofRun: AccountOfRun = accounts.get(key) ?? {
				account,
				pace: new RunPace(options.pace, options.maxWaitMs, schedule),
			};
			accounts.set(key, ofRun);
			const message = prepare(itemAt(index));
			ofRun.ready ??= checkOnline?.(account);
			const { pace, ready } = ofRun;
			const load = loader(message);
			yield {
				...message,
				load,
				index,
				account,
				chat: `${message.chat} ${key}`,
				pace,
				ready,
			};
		} catch (thrown) {
			yield { index, failure: failureOf(thrown) };
		}
	}
}

/**
 * One attempt to send a message, or a part of it after the items of those `before`. Its body is built now, because it
 * may be large.
 */
async function attempt(
	context: Context,
	account: Account,
	request: IHttpRequestOptions,
	{ body, hasKey, parts = 1 }: Omit<PreparedMessage, 'load'>,
	part: number,
	before: INodeExecutionData[] = [],
): Promise<Result<INodeExecutionData[]>> {
	const sent = (response: GatewayResponse, outcome: Outcome): Result<INodeExecutionData[]> => {
		const items = [...before, { json: responseJson(response, { outcome }) }];
		return { value: items.length === 1 || items.length < parts ? items : [joined(items)] };
	};
	try {
		const headers = { ...request.headers, ...JSON_HEADERS };
		const message = { ...request, headers, body: await body(part) };
		const result = await sendRequest(context, account, message, 'sent');
		if ('value' in result) {
			return sent(result.value, outcomeOf(result.value));
		}
		const { failure } = result;
		if (!hasKey || failure.kind !== 'rejected' || !isDuplicateRejection(failure.response)) {
			return result;
		}
		return sent(failure.response, 'duplicate');
	} catch (thrown) {
		return { failure: failureOf(thrown) };
	}
}

/** The item of a split message: the response to its first part, and the responses to all of them. */
function joined(items: INodeExecutionData[]): INodeExecutionData {
	const parts = items.map(({ json }) => json);
	const outcomes = parts.map(({ outcome }) => outcome);
	const { outcome: first, ...response } = parts[0]!;
	const same = outcomes.every((outcome) => outcome === first) ? first : undefined;
	// Some parts may have arrived with an earlier attempt, and some may wait until the session is online.
	const outcome = same ?? (outcomes.includes('deferred') ? 'deferred' : 'sent');
	return { json: itemJson(response, { outcome, parts }) };
}

/** In item order. */
async function allItems(
	context: IExecuteFunctions,
	{ results }: RunResult<INodeExecutionData[]>,
	indexes: number[],
	signal: AbortSignal,
): Promise<INodeExecutionData[]> {
	const breaks = new Breaks(steadyClock, signal);
	const items: INodeExecutionData[][] = [];
	for (const index of indexes) {
		if (breaks.isDue) await breaks.take();
		items.push(outputItems(context, index, results.get(index)));
	}
	return items.flat();
}

function addHints(context: IExecuteFunctions, accounts: AccountOfRun[]): void {
	const hints = new Set(
		accounts.flatMap(({ account, pace }) => [account.clockSkew.hint, pace.hint]),
	);
	for (const message of hints) {
		if (message) context.addExecutionHints({ message, location: 'outputPane', type: 'warning' });
	}
}

function throwIfStopped(
	context: IExecuteFunctions,
	{ results, stoppedBy }: RunResult<INodeExecutionData[]>,
	count: number,
): void {
	if (!stoppedBy) return;
	throw toNodeError(context.getNode(), stoppedBy, stoppedBy.index, summary(results, count));
}
