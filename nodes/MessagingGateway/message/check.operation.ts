import type { IExecuteFunctions, IDataObject, INodeExecutionData } from 'n8n-workflow';

import { identityOf, recipientKind } from '../../../gateway/text/chatId';
import { countryOf } from '../../../gateway/text/phoneNumber';
import { allowsAnyone, readSendTo } from '../../../gateway/wire/guard';
import { options, toggle } from '../fields/field';
import { flagOf } from '../fields/read';
import type { Account } from '../request/account';
import type { Item } from '../operation/item';
import type { Operation } from '../operation/operation';
import { errorItemsForAll, outputItems } from '../operation/outputItems';
import { cancelSignal } from '../n8n/cancelSignal';
import { steadyClock } from '../request/steadyClock';
import { eventLoopBreaks } from '../sending/clock';
import { keyOption } from './commonFields';
import { recipientOf } from './recipient';
import { textFromFields, textFields, textOptions } from './send.operation';
import { checkAllowed, readMessages } from './sendMessages';
import { runOptions } from './sendOptions';

const includeInput = toggle(
	'includeInput',
	'Include Input',
)("Whether to output the fields of the input item, too, under 'input'");

function checkedMessage(item: Item, account: Account) {
	const { message, text, texts } = textFromFields(item);
	const { option, input } = item;
	const { id: chatId } = recipientOf(item);
	const identity = identityOf(chatId);
	const kind = recipientKind(chatId);
	const json: IDataObject = { chatId, identity, kind };
	const country = kind === 'person' && countryOf(identity);
	if (country) json.country = country;
	Object.assign(json, { text, length: text.length, parts: texts.length });
	if (texts.length > 1) json.texts = texts;
	const chosen = keyOption(option);
	// The output has no automatic key, because the node that sends computes another one.
	if (typeof chosen === 'object') json.idempotencyKey = chosen.idempotencyKey;
	json.sendTo = allowsAnyone(account.credentials) ? 'anyone' : account.credentials.sendTo;
	try {
		// Send would replace the recipient with the test recipient, who is always allowed.
		if (!readSendTo(account.credentials).testRecipient) checkAllowed(account, message);
		json.allowed = true;
	} catch (thrown) {
		Object.assign(json, { allowed: false, reason: (thrown as Error).message });
	}
	if (flagOf(includeInput, option)) json.input = input.json;
	return { ...message, json };
}

async function checkMessages(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const run = runOptions(context);
	if ('failure' in run) return errorItemsForAll(context, run);
	const breakIfDue = eventLoopBreaks(steadyClock, cancelSignal(context));
	const items: INodeExecutionData[][] = [];
	for await (const message of readMessages(context, checkedMessage)) {
		await breakIfDue();
		const result = 'failure' in message ? message : { value: [{ json: message.json }] };
		items.push(outputItems(context, message.index, result));
	}
	return items.flat();
}

export const check: Operation = {
	option: ['check', 'Check', 'Check message without sending it'],
	description:
		'Check recipient and text of a message, and output what Send would send. Nothing is sent.',
	builderHint:
		'Use it before messages to a list. It sends nothing, and invalid items leave by the error output.',
	execute: checkMessages,
	properties: [...textFields, ...options([...textOptions, includeInput])],
};
