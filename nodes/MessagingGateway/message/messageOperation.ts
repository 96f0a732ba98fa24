import type {
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	INodeExecutionData,
} from 'n8n-workflow';

import type { Failed, Result } from '../../../gateway/replies/failure';
import { isDuplicateRejection, outcomeOf } from '../../../gateway/replies/outcome';
import { type Account, readAccount } from '../request/account';
import { connectionOptions } from '../request/requestOptions';
import { itemJson, responseJson } from '../request/items';
import { toNodeError } from '../request/nodeError';
import type { Operation } from '../request/operation';
import { failedItem, outputItems } from '../request/outputItems';
import { cancelSignal, inputFailure, withCancelSignal } from '../request/receive';
import { itemContext, itemIndexes, type ItemsContext, toolRouting } from '../request/routing';
import { sendRequest } from '../request/sendRequest';
import { steadyClock } from '../request/steadyClock';
import { offlineReason } from '../request/whenOffline';
import { Breaks } from '../sending/breaks';
import type { InvalidMessage, Message, Sender } from '../sending/message';
import { type RunResult, sendAll } from '../sending/sendAll';
import { summary } from '../sending/summary';
import { JSON_HEADERS } from './fields';
import { type InputItem, itemReader } from './inputItem';
import { bytesOf, type Part, type PreparedMessage, type PrepareMessage } from './preparedMessage';
import { type RunOptions, runOptions } from './sendOptions';

/** An operation that sends messages. `prepare` reads and checks the fields of an item. */
export const messageOperation = (
	prepare: PrepareMessage,
): Pick<Operation, 'routing' | 'customOperation'> => ({
	async customOperation(this: IExecuteFunctions) {
		return [await sendMessages(this, prepare)];
	},
	routing: toolRouting(async (context) => await sendMessages(context, prepare)),
});

/** Sends the messages of all input items together, and returns the output items. */
export async function sendMessages(
	context: ItemsContext,
	prepare: PrepareMessage,
): Promise<INodeExecutionData[]> {
	const indexes = itemIndexes(context);
	const cancelled = cancelSignal(context);
	const settings = runSettings(context, indexes);
	if ('failure' in settings) {
		return indexes.map((itemIndex) => failedItem(context, settings, itemIndex));
	}
	const { request, options } = settings.value;
	const sender = new GatewaySender(context, request, options);
	const run = await sendAll(preparedMessages(context, indexes, prepare), sender, {
		...options,
		clock: steadyClock,
		cancelled,
		stopOnFailure: !context.continueOnFail(),
	});
	addHints(context, run, sender.hasSentWithoutKey);
	if (!cancelled.aborted) throwIfStopped(context, run, indexes.length);
	return await allItems(context, run, indexes, cancelled);
}

/** What all messages of a run have in common. */
export function runSettings(
	context: ItemsContext,
	indexes: number[],
): Result<{ request: Partial<IHttpRequestOptions>; options: RunOptions }> {
	try {
		const options = runOptions(itemContext(context, indexes[0] ?? 0));
		return { value: { request: connectionOptions(context), options } };
	} catch (thrown) {
		return asInputFailure(thrown);
	}
}

type AccountMessage = PreparedMessage & Message & { account: Account };

/** The messages in item order, each read when the iterator gets there. */
export async function* preparedMessages<Prepared extends PreparedMessage>(
	context: ItemsContext,
	indexes: number[],
	prepare: (item: InputItem) => Prepared,
): AsyncGenerator<(Prepared & Message & { account: Account }) | InvalidMessage, undefined> {
	const itemAt = itemReader(context);
	let account: Account | undefined;
	for (const index of indexes) {
		try {
			if (!account || account.variesByItem) account = await readAccount(context, index);
			yield { ...prepare(itemAt(index)), index, account };
		} catch (thrown) {
			yield { index, failure: inputFailure(thrown) };
		}
	}
}

class GatewaySender implements Sender<AccountMessage, IDataObject> {
	hasSentWithoutKey = false;

	constructor(
		private readonly context: ItemsContext,
		private readonly request: Partial<IHttpRequestOptions>,
		private readonly options: RunOptions,
	) {}

	async whyNotReady(account: Account, noNewMessages: AbortSignal): Promise<Failed | undefined> {
		const { offline } = this.options;
		if (!offline) return undefined;
		const context = withCancelSignal(this.context, noNewMessages);
		return await offlineReason(context, account, this.request, offline).catch(asInputFailure);
	}

	async load(part: Part): Promise<Result<Buffer> | undefined> {
		if (!('file' in part) || !part.file?.isDownload) return undefined;
		return await bytesOf(part).then((value) => ({ value }), asInputFailure);
	}

	async attempt({ account, endpoint, hasKey }: AccountMessage, part: Part, loaded?: Buffer) {
		if (!hasKey) this.hasSentWithoutKey = true;
		try {
			const body = loaded ?? (await bytesOf(part));
			const { method, path: url } = endpoint;
			const request = { ...this.request, method, url, headers: JSON_HEADERS, body };
			const result = await sendRequest(this.context, account, request, 'sent');
			if ('value' in result) {
				const { value } = result;
				return { value: responseJson(value, { outcome: outcomeOf(value) }) };
			}
			const { failure } = result;
			const isDuplicate =
				hasKey && failure.kind === 'rejected' && isDuplicateRejection(failure.response);
			return isDuplicate
				? { value: responseJson(failure.response, { outcome: 'duplicate' }) }
				: result;
		} catch (thrown) {
			return asInputFailure(thrown);
		}
	}
}

const asInputFailure = (thrown: unknown): Failed => ({ failure: inputFailure(thrown) });

/** The item of a split message: the response to its first part, and the responses to all of them. */
function joined(parts: IDataObject[]): IDataObject {
	if (parts.length === 1) return parts[0]!;
	const outcomes = parts.map(({ outcome }) => outcome);
	const { outcome: first, ...response } = parts[0]!;
	const same = outcomes.every((outcome) => outcome === first) ? first : undefined;
	// Some parts may have arrived with an earlier attempt, and some may wait until the session is online.
	const outcome = same ?? (outcomes.includes('deferred') ? 'deferred' : 'sent');
	return itemJson(response, { outcome, parts });
}

type Run = RunResult<AccountMessage, IDataObject>;

/** In item order. */
async function allItems(
	context: ItemsContext,
	{ results }: Run,
	indexes: number[],
	cancelled: AbortSignal,
): Promise<INodeExecutionData[]> {
	const breaks = new Breaks(steadyClock, cancelled);
	const items: INodeExecutionData[][] = [];
	for (const index of indexes) {
		if (breaks.isDue) await breaks.take();
		const result = results.get(index);
		const output =
			result && 'value' in result ? { value: [{ json: joined(result.value) }] } : result;
		items.push(outputItems(context, index, output));
	}
	return items.flat();
}

const SENT_AGAIN =
	"Retry On Fail is on, and messages were sent without an idempotency key. If the node fails, n8n sends the messages of all items again, also those that have arrived. Add the option 'Idempotency Key' (Send Custom JSON: a field in the body), or turn off Retry On Fail: the node itself retries what is safe.";

function addHints(context: ItemsContext, { accounts }: Run, hasSentWithoutKey: boolean): void {
	if (!('addExecutionHints' in context)) return;
	const hints = new Set(accounts.flatMap(({ account, hint }) => [account.clockSkew.hint, hint]));
	// A static hint does not see the settings of the node. If it continues, failed items do not fail the node.
	const isRepeated = context.getNode().retryOnFail === true && !context.continueOnFail();
	if (isRepeated && hasSentWithoutKey) hints.add(SENT_AGAIN);
	for (const message of hints) {
		if (message) context.addExecutionHints({ message, location: 'outputPane', type: 'warning' });
	}
}

function throwIfStopped(context: ItemsContext, { results, stoppedBy }: Run, count: number): void {
	if (!stoppedBy) return;
	throw toNodeError(context.getNode(), stoppedBy, stoppedBy.index, summary(results, count));
}
