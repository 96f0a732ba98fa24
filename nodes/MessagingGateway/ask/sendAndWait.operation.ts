import {
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	SEND_AND_WAIT_OPERATION,
	WAIT_INDEFINITELY,
} from 'n8n-workflow';

import { type ErrorText, notUsable } from '../../../gateway/responses/failure';
import { messageIdIn } from '../../../gateway/responses/outcome';
import { InvalidInput, MAX_TEXT_LENGTH, requiredText } from '../../../gateway/inputValues';
import { isObject, type JsonObject } from '../../../gateway/json';
import { number, options } from '../fields/field';
import { numberOf } from '../fields/read';
import { checkSame, type Item, itemIndexes, itemReader } from '../operation/item';
import type { Operation } from '../operation/operation';
import { addHint, errorItemsForAll } from '../operation/outputItems';
import { readForRun } from '../request/inputErrors';
import { checkToolCall, isModelCall, isToolReview } from '../n8n/toolCalls';
import { answerLink, waitForAnswer } from '../n8n/waitForAnswer';
import { linkHint, storeQuestion } from './questionWebhook';
import type { Draft } from './question';
import {
	asksForEachItem,
	draft,
	draftRecipient,
	linkLabelOf,
	messageField,
	questionFields,
	questionOf,
	questionOptions,
} from './questionFields';
import { formattedText, keyOption, messageOptions } from '../message/commonFields';
import { recipient, recipientOf } from '../message/recipient';
import { splitLongText, textMessage } from '../message/send.operation';
import { sendMessages } from '../message/sendMessages';
import { sendOptions } from '../message/sendOptions';

const limitWaitTime = number('limitWaitTime', 'Limit Wait Time (Minutes)', {
	...{ range: [0.01, 525_600], default: 45 },
})(
	'How long to wait for the answer, at most 525600 (a year). After that, the workflow continues with the input item, in which answered is false.',
);

/**
 * Matches what a page shows as nothing or as something else: marks of direction, controls, and characters without a shape. Emoji and
 * languages such as Persian need U+200C, U+200D and U+FE0F.
 */
const INVISIBLE =
	/(?![ \t\n]|\ufe0f\u20e3|(?<=[^\p{sc=Latn}\p{sc=Cyrl}\p{sc=Grek}\p{N}\p{P}\p{Z}\p{C}])[\u200c\u200d\ufe0f])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{DI}\u2800]/gu;

/** Returns the message of an item, without what could hide or reorder a part of it: a page and a text area show exactly this text. */
function draftOf(item: Item): Draft {
	const { field, index } = item;
	const ofItem = ` of item ${index}`;
	const { name, displayName } = draftRecipient;
	const { id, name: shown = id } = recipientOf(item, { name, displayName: displayName + ofItem });
	const required = (value: unknown) =>
		requiredText(
			value,
			draft.displayName + ofItem,
			'Enter the message of the item.',
			MAX_TEXT_LENGTH,
		);
	const written = required(field(draft.name)).toWellFormed().replace(/\r\n?/g, '\n');
	return { recipient: shown, text: required(written.replace(INVISIBLE, '')) };
}

/** Returns the messages of all items of the run, with the credential of the given one. */
function draftsOf(context: IExecuteFunctions, { credentials }: Item): Draft[] {
	const itemAt = itemReader(context);
	return itemIndexes(context).map((index) => draftOf({ ...itemAt(index), credentials }));
}

/** Reads and checks all fields of the item, so that nothing is sent if the page could not be shown. */
function questionMessage(item: Item, link: string, isReview: boolean, drafts: Draft[]) {
	const { option } = item;
	const asked = questionOf(item.field, option, drafts);
	const label = linkLabelOf(option, asked);
	// A review shows the text as it is, because a format could hide parameters, for example in a Markdown comment.
	const shown = isReview ? asked.text : formattedText(asked.text, item, 'Message');
	const question = { ...asked, text: shown };
	// The link is added after the conversion, because Markdown could change it.
	const text = () => `${shown}\n\n${label && `${label}\n`}${link}`;
	return {
		message: textMessage(item, text).message,
		question,
		chatId: recipientOf(item).id,
		waitMs: numberOf(limitWaitTime, option, 0) * 60_000,
		/** Says whether the idempotency key depends on the link, which is part of the text. */
		isKeyAutomatic: keyOption(option) === 'automatic',
	};
}

const TOOL_INPUT = /\{\{\s*\$tool\.parameters\s*\}\}/g; // {{ $tool.parameters }}
/**
 * Escapes line separators, direction marks and invisible characters, which JSON leaves as they are: a value could look
 * like the text of the question, or hide a part of it. Emoji and Persian need U+200C, U+200D and U+FE0F.
 */
const SHOWN_INPUT = String.raw`{{ JSON.stringify($tool.parameters, null, 2)?.replace(/(?![ \n\u200c\u200d\ufe0f])[\p{Cc}\p{Cf}\p{Z}\p{DI}\u2800]/gu, (mark) => mark.split('').map((unit) => '\\u' + unit.charCodeAt().toString(16).padStart(4, '0')).join('')) }}`;

/** Shows the input of the tool as JSON. n8n's default text of a human review would show "[object Object]". */
function withShownMessage(context: IExecuteFunctions, item: Item): Item {
	const raw: unknown = context.getNodeParameter('message', 0, '', { rawExpressions: true });
	if (typeof raw !== 'string' || !raw.startsWith('=')) return item;
	const text = raw.replace(TOOL_INPUT, SHOWN_INPUT);
	if (text === raw) return item;
	const message = context.evaluateExpression(text.slice(1), 0);
	return {
		...item,
		field: (name) => (name === 'message' ? message : item.field(name)),
	};
}

/** The question is one message, also about the drafts of several items. */
const withFirstItem = (context: IExecuteFunctions) =>
	Object.create(context, {
		getInputData: { value: () => context.getInputData().slice(0, 1) },
	}) as IExecuteFunctions;

async function sendAndWaitForAnswer(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const runIndex = Number(context.evaluateExpression('{{ $runIndex }}', 0));
	const link = answerLink(context, runIndex);
	const isReview = isToolReview(context);
	let written = undefined as ReturnType<typeof questionMessage> | undefined;
	const output = await sendMessages(withFirstItem(context), (item) => {
		if (isReview) checkToolCall(context, runIndex);
		const drafts = asksForEachItem(item.field) ? draftsOf(context, item) : [];
		written = questionMessage(withShownMessage(context, item), link, isReview, drafts);
		return written.message;
	});
	const [sent] = output;
	// There is no item if the execution was cancelled, and it has an error if the message failed in a workflow that continues.
	if (!written || !sent || sent.error || sent.json.error) {
		const failed = (item: number) => output.map((one) => ({ ...one, pairedItem: { item } }));
		return itemIndexes(context).flatMap(failed);
	}
	const { question, chatId, waitMs, isKeyAutomatic } = written;
	const { outcome, isTest, testNumber } = sent.json;
	const redirected = isTest === true && isObject(testNumber) ? testNumber : undefined;
	const response = redirected ?? sent.json;
	// An automatic key depends on the link, so a duplicate means that an earlier attempt of this message has arrived.
	if (linkOutcome(response) === 'duplicate' && !isKeyAutomatic)
		return errorItemsForAll(context, notUsable(DUPLICATE));
	// A review shows no link in a rehearsal, because the tool that it approves may be a real one.
	const rehearsed = isReview ? undefined : `To answer in this rehearsal, open ${link}`;
	addHint(context, isTest !== true || redirected ? linkHint(link) : rehearsed);
	const mark = isTest === true ? { isTest } : {};
	const asked = { messageId: messageIdIn(response), outcome: response.outcome };
	const ofTest = redirected && {
		outcome,
		testNumber: { recipient: redirected.recipient, ...asked },
	};
	const item = { chatId, ...(ofTest ?? asked), ...mark } as IDataObject;
	const waitTill = waitMs === 0 ? WAIT_INDEFINITELY : new Date(Date.now() + waitMs);
	storeQuestion(context, link, { runIndex, question, item, waitTill: waitTill.getTime() });
	await waitForAnswer(context, isReview, waitTill, mark);
	// n8n shows this item while the execution waits.
	return [{ json: item, pairedItem: { item: 0 } }];
}

const DUPLICATE: ErrorText = {
	cause: 'already_exists',
	message:
		'The gateway dropped the message: it had already received one with the same idempotency key',
	description:
		"That message has another link, so no answer could be received. Choose Automatic as 'Idempotency Key', or use a key that is new for each question.",
};

/** Returns the outcome of the part with the link, which is the last one of a split message. */
function linkOutcome({ outcome, parts }: JsonObject): unknown {
	const last: unknown = Array.isArray(parts) ? parts.at(-1) : undefined;
	return isObject(last) ? last.outcome : outcome;
}

const notATool = () =>
	new InvalidInput(
		'Send and Wait for Response cannot run as a tool. Nothing was sent',
		"Use the operation Send. To approve the calls of other tools, connect them to the agent through this node's human review step.",
	);

const notOneItem = (length: number) =>
	new InvalidInput(
		`This question is about one item, not ${length}. Nothing was sent`,
		"To choose from the messages of all items on one page, set 'Response Type' to Approve Each Item. To ask one question after the other, put this node into a Loop Over Items node with a batch size of 1.",
	);

const MAX_DRAFTS = 200;
const tooManyDrafts = (length: number) =>
	new InvalidInput(
		`One page lists at most ${MAX_DRAFTS} messages, not ${length}. Nothing was sent`,
		'Put this node into a Loop Over Items node with a smaller batch size.',
	);

/** Throws InvalidInput if the items cannot be asked about with one message, or if the execution cannot wait for the answer. */
function checkRun(context: IExecuteFunctions): void {
	if (isModelCall(context)) throw notATool();
	const { length } = context.getInputData();
	if (length < 2) return;
	if (!asksForEachItem(itemReader(context)(0).field)) throw notOneItem(length);
	if (length > MAX_DRAFTS) throw tooManyDrafts(length);
	const { parameters } = context.getNode();
	for (const { name, displayName } of [recipient, messageField])
		checkSame(context, displayName, parameters[name], ({ field }) => field(name));
}

export const sendAndWait: Operation = {
	option: [
		SEND_AND_WAIT_OPERATION,
		'Send and Wait for Response',
		'Send message and wait for response',
	],
	description: 'Send a question with a link, and wait for the answer',
	builderHint:
		'Set limitWaitTime, and read answered before data: after the time limit it is false.',
	async execute(context) {
		const checked = readForRun(() => checkRun(context));
		if ('failure' in checked) return errorItemsForAll(context, checked);
		return await sendAndWaitForAnswer(context);
	},
	properties: [
		recipient,
		...questionFields,
		...options([
			...[...messageOptions, limitWaitTime, ...questionOptions, splitLongText],
			// Concurrency has no effect, because there is one message.
			...sendOptions.filter(({ name }) => name !== 'concurrency'),
		]),
	],
};
