import { createHash } from 'crypto';

import type { IExecuteFunctions, IDataObject, INodeExecutionData } from 'n8n-workflow';

import { signingClockOf } from '../../../gateway/wire/signingClock';
import { InvalidInput, InvalidSetup } from '../../../gateway/inputValues';
import type { Failed } from '../../../gateway/responses/failure';
import type { Endpoint } from '../../../gateway/wire/endpoints';
import { checkRequest, sendsToNobody, readSendTo } from '../../../gateway/wire/guard';
import { type Account, readAccount } from '../request/account';
import { cancelSignal, executionDeadline, withCancelSignal } from '../n8n/cancelSignal';
import { isModelCall } from '../n8n/toolCalls';
import { type Item, itemIndexes, itemReader } from '../operation/item';
import { addHint, errorItemsForAll, outputItems, toNodeError } from '../operation/outputItems';
import { failureInInput } from '../request/inputErrors';
import { sendRequest } from '../request/sendRequest';
import { steadyClock } from '../request/steadyClock';
import { eventLoopBreaks } from '../sending/clock';
import type { FailedItem, Message, Sender } from '../sending/retry';
import { messageRehearsalHint, withRehearsal } from '../sending/rehearsal';
import { sendAll } from '../sending/sendAll';
import { limitHint, paceHint, redirectionHint, summaryText } from '../sending/summary';
import { withToolLimits } from '../sending/toolLimits';
import { failureOf, isTested, itemResult, messageResult } from './messageResults';
import { type RunOptions, runOptions } from './sendOptions';

import { offlineReason } from './whenOffline';

export interface NewMessage {
	endpoint: Endpoint;
	chat: string | undefined;
	hasKey: boolean;
	/** Contains the user's own key, from which each part gets one. Undefined means no key, or an automatic one. */
	enteredKey?: string;
	/** Gets the message instead of its recipient. */
	testRecipient?: string;
	/** Contains the body of each request: one, or several for a split text. */
	parts: Part[];
}

/** Each attempt loads a body with a file again, because messages that wait would hold it in memory. */
type Part =
	| Buffer
	| { isDownload: boolean; withoutFile: Buffer; source: () => string; load: () => Promise<Buffer> };

/**
 * Sends the messages of all input items together, and returns the output items. `messageOf` reads and checks the fields
 * of an item, and throws InvalidInput.
 */
export async function sendMessages(
	context: IExecuteFunctions,
	messageOf: (item: Item) => NewMessage,
): Promise<INodeExecutionData[]> {
	const indexes = itemIndexes(context);
	const cancelled = cancelSignal(context);
	const options = runOptions(context);
	if ('failure' in options) return errorItemsForAll(context, options);
	const tooLong = await failureIfTooLong(context, options.value);
	if (tooLong) return errorItemsForAll(context, tooLong);
	/** Who gets a message instead of its recipient, by index: the test number, or nobody (empty) in a rehearsal. */
	const testRecipients = new Map<number, string>();
	/** Says whether a message was sent without an idempotency key. */
	const sent = { isWithoutKey: false };
	const allowedMessage = (item: Item, account: Account) => {
		const { testRecipient } = readSendTo(account.credentials);
		const message = messageOf({ ...item, testRecipient });
		const test = account.isRehearsal ? '' : message.testRecipient;
		if (test !== undefined) testRecipients.set(item.index, test);
		checkAllowed(account, message);
		return message;
	};
	const { stoppedBy, results, accounts } = await sendAll(
		readMessages(context, allowedMessage),
		decoratedSender(context, options.value, sent),
		{ ...options.value, clock: steadyClock, cancelled, stopOnFailure: !context.continueOnFail() },
	);
	const testOf = (index: number) => testRecipients.get(index);
	const tested = [...results].filter(([index, result]) => isTested(result, testOf(index)));
	const rehearsed = tested.filter(([index]) => testOf(index) === '').length;
	const redirected = tested.filter(([index, result]) => testOf(index) && 'value' in result).length;
	for (const { account, queue } of accounts) {
		const { scheduler, isRehearsal, credentials } = account;
		const hints = isRehearsal
			? [messageRehearsalHint(rehearsed, scheduler, steadyClock)]
			: [signingClockOf(credentials).hint, limitHint(scheduler, queue)];
		for (const each of hints) addHint(context, each);
		addHint(context, paceHint(queue), 'info');
	}
	addHint(context, redirectionHint(redirected));
	// A static hint cannot read the node's settings, so this one is added here. If the node continues after errors, it does not
	// fail, and n8n does not run it again.
	const isRepeated = context.getNode().retryOnFail === true && !context.continueOnFail();
	if (isRepeated && sent.isWithoutKey) addHint(context, SENT_AGAIN);
	if (stoppedBy && !cancelled.aborted) {
		const summary = summaryText(
			results,
			indexes.length,
			testRecipients.size > 0 ? 'Tested' : 'Sent',
		);
		const failed = failureOf(stoppedBy, testOf(stoppedBy.index));
		throw toNodeError(context.getNode(), failed, stoppedBy.index, summary);
	}
	const breakIfDue = eventLoopBreaks(steadyClock, cancelled);
	const items: INodeExecutionData[][] = [];
	for (const index of indexes) {
		await breakIfDue();
		const result = results.get(index);
		items.push(outputItems(context, index, result && itemResult(result, testOf(index))));
	}
	return items.flat();
}

/** Returns the failure of a run that n8n would end before it has sent all messages: nobody would learn which ones it sent. */
async function failureIfTooLong(
	context: IExecuteFunctions,
	{ pace }: RunOptions,
): Promise<Failed | undefined> {
	const left = executionDeadline(context) - steadyClock.date();
	const { length } = itemIndexes(context);
	if (left === Infinity || length < 2) return undefined;
	// The items report an account that cannot be read.
	const account = await readAccount(context, 0).catch(() => undefined);
	const ofRun = pace.intervalMs * (1 + pace.randomPart / 2);
	const needed = (length - 1) * Math.max(ofRun, account?.pace?.intervalMs ?? 0);
	if (needed < left) return undefined;
	const seconds = (ms: number) => Math.max(0, Math.round(ms / 1_000));
	const message = `Nothing was sent: at their pace, ${length} messages take about ${seconds(needed)} seconds, and n8n ends this execution in ${seconds(left)} seconds`;
	return failureInInput(new InvalidSetup(new InvalidInput(message, SEND_FEWER)));
}

const SEND_FEWER =
	"Send fewer messages at once, raise 'Pace', or raise the timeout in the settings of the workflow.";

/** Throws InvalidInput if the credential does not allow the message. The request hook checks it, too, but only when it is sent. */
export function checkAllowed({ credentials }: Account, { endpoint, parts }: NewMessage): void {
	if (sendsToNobody(credentials)) return;
	const [part] = parts;
	const body = Buffer.isBuffer(part) ? part : part?.withoutFile;
	checkRequest(credentials, endpoint.method, endpoint.path, body);
}

interface OfItem {
	index: number;
	account: Account;
}

/** Yields the messages in item order. Each is read only when it is requested, so that a large run does not fill the memory. */
export async function* readMessages<Read extends NewMessage>(
	context: IExecuteFunctions,
	messageOf: (item: Item, account: Account) => Read,
): AsyncGenerator<(Read & OfItem) | FailedItem, undefined> {
	const itemAt = itemReader(context);
	const contents = new Map<string, string>();
	let account: Account | undefined;
	for (const index of itemIndexes(context)) {
		try {
			if (!account || account.variesByItem) account = await readAccount(context, index);
			const { credentials } = account;
			const message = { ...messageOf({ ...itemAt(index), credentials }, account), index, account };
			checkKey(message, contents);
			yield message;
		} catch (thrown) {
			yield { index, ...failureInInput(thrown) };
		}
	}
}

/**
 * Throws InvalidInput if an earlier message of the run has the same key but another content, because the gateway would drop
 * this one. `contents` are digests, by account and key.
 */
function checkKey({ enteredKey, account, parts }: AccountMessage, contents: Map<string, string>) {
	if (enteredKey === undefined) return;
	const digest = createHash('sha256');
	for (const part of parts) {
		if (Buffer.isBuffer(part)) digest.update(part);
		else digest.update(part.withoutFile).update(part.source());
	}
	const content = digest.digest('base64');
	const keyInRun = `${account.accountKey} ${enteredKey}`;
	const first = contents.get(keyInRun) ?? content;
	contents.set(keyInRun, first);
	if (first === content) return;
	throw new InvalidInput(
		`'Idempotency Key' is '${enteredKey.slice(0, 100)}' for more than one message of this run, and the gateway would drop this one`,
		'Use an expression that differs per item, e.g. an order number, and check that it has a value, or choose Automatic. With Send Custom JSON, change the key in the body.',
	);
}

type AccountMessage = NewMessage & Message & OfItem;

function gatewaySender(
	context: IExecuteFunctions,
	{ offline, connection }: RunOptions,
	sent: { isWithoutKey: boolean },
): Sender<AccountMessage, IDataObject> {
	return {
		async failureIfNotReady(account, noNewMessagesSignal) {
			if (!offline) return undefined;
			const withSignal = withCancelSignal(context, noNewMessagesSignal);
			return await offlineReason(withSignal, account, offline, connection).catch(failureInInput);
		},
		loadsEarly: (part: Part) => !Buffer.isBuffer(part) && part.isDownload,
		load: async (_message, part: Part) =>
			Buffer.isBuffer(part)
				? { value: part }
				: await part.load().then((value) => ({ value }), failureInInput),
		async attempt({ account, endpoint, hasKey }, _part, body) {
			if (!hasKey) sent.isWithoutKey = true;
			const { method, path: url } = endpoint;
			const request = { ...connection, method, url, body };
			return messageResult(await sendRequest(context, account, request, 'sent'), hasKey);
		},
	};
}

/** Returns the sender of a run, with what a rehearsal or a tool adds around it. */
function decoratedSender(
	context: IExecuteFunctions,
	options: RunOptions,
	sent: { isWithoutKey: boolean },
) {
	const { sendWithinMs, tool } = options;
	const clock = steadyClock;
	const sender = gatewaySender(context, options, sent);
	const decorated = withRehearsal(sender, { clock, sendWithinMs });
	if (!isModelCall(context)) return decorated;
	const executionId = context.getExecutionId();
	const node = [context.getWorkflow().id, context.getNode().id];
	const execution = executionId ? [...node, executionId].join() : undefined;
	return withToolLimits(decorated, { ...tool, clock, execution });
}

const SENT_AGAIN =
	"Retry On Fail is on, and messages were sent without an idempotency key. If the node fails, n8n sends the messages of all items again, also those that have arrived. Add the option 'Idempotency Key' (Send Custom JSON: a field in the body), or turn off Retry On Fail: the node itself retries what is safe.";
