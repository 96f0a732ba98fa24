import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { recipientKind } from '../../../gateway/text/chatId';
import { countryOf } from '../../../gateway/text/phoneNumber';
import { options, toggle } from '../fields/field';
import { flagOf, optionsIn } from '../fields/read';
import type { Operation } from '../request/operation';
import { failedItem, outputItems } from '../request/outputItems';
import { cancelSignal } from '../request/receive';
import { itemContext, itemIndexes, type ItemsContext, toolRouting } from '../request/routing';
import { steadyClock } from '../request/steadyClock';
import { Breaks } from '../sending/breaks';
import type { InputItem } from './inputItem';
import { preparedMessages, runSettings } from './messageOperation';
import { prepareText, shownText, textFields, textOptions } from './send.operation';

const includeInput = toggle(
	'includeInput',
	'Include Input',
)("Whether to output the fields of the input item, too, under 'input'");

/** Reads and checks an item as Send does. */
function prepareCheck(item: InputItem) {
	const message = prepareText(item);
	const { chat, parts } = message;
	const option = optionsIn(item.field);
	const text = shownText(item);
	const kind = recipientKind(chat);
	const json: IDataObject = { chatId: chat, kind };
	const country = kind === 'person' && countryOf(chat);
	if (country) json.country = country;
	Object.assign(json, { text, length: text.length, parts: parts.length });
	if (parts.length > 1) json.texts = parts.map((part) => 'fields' in part && part.fields.text!);
	const key = option('idempotencyKey');
	// An automatic key belongs to the node that sends.
	if (typeof key === 'string' && !['automatic', 'off'].includes(key))
		json.idempotencyKey = key.trim();
	return { ...message, json, includesInput: flagOf(includeInput, option) };
}

/** Says what Send would send for each item. Sends no request. */
async function checkMessages(context: ItemsContext): Promise<INodeExecutionData[]> {
	const indexes = itemIndexes(context);
	const settings = runSettings(context, indexes);
	if ('failure' in settings) {
		return indexes.map((itemIndex) => failedItem(context, settings, itemIndex));
	}
	const breaks = new Breaks(steadyClock, cancelSignal(context));
	const items: INodeExecutionData[][] = [];
	for await (const message of preparedMessages(context, indexes, prepareCheck)) {
		if (breaks.isDue) await breaks.take();
		const { index } = message;
		if ('failure' in message) {
			items.push(outputItems(context, index, message));
			continue;
		}
		const { json, includesInput } = message;
		if (includesInput) json.input = itemContext(context, index).getInputData().json;
		items.push(outputItems(context, index, { value: [{ json }] }));
	}
	return items.flat();
}

export const check: Operation = {
	option: ['check', 'Check', 'Check message without sending it'],
	description:
		'Check recipient and text of a message, and output what Send would send. Nothing is sent.',
	builderHint:
		'Use it before messages to a list. It sends nothing, and invalid items leave by the error output.',
	async customOperation(this: IExecuteFunctions) {
		return [await checkMessages(this)];
	},
	routing: toolRouting(checkMessages),
	properties: [...textFields, options([...textOptions, includeInput])],
};
