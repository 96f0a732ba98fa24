import { MAX_TEXT_LENGTH, requiredText } from '../../../gateway/inputValues';
import { options, text } from '../fields/field';
import { optionsIn } from '../fields/read';
import type { Operation } from '../request/operation';
import { formatted, messageOptions, recipient } from './fields';
import type { InputItem } from './inputItem';
import { messageOperation } from './messageOperation';
import type { PrepareMessage } from './preparedMessage';
import { sendOptions } from './sendOptions';
import { splitLongText, textMessage } from './textMessage';

/** The text of an item, as the chat shows it. */
export function shownText({ field }: InputItem): string {
	const advice = 'Enter the text of the message.';
	const entered = requiredText(field('text'), 'Text', advice, MAX_TEXT_LENGTH);
	return formatted(entered, optionsIn(field), 'Text');
}

export const prepareText: PrepareMessage = (item) =>
	textMessage(item, optionsIn(item.field), () => shownText(item));

const textField = text('text', 'Text', {
	required: true,
	example: 'Your table is booked for 7 pm',
	rows: 4,
})('The text of the message');

export const textFields = [recipient, textField];
export const textOptions = [...messageOptions, splitLongText, ...sendOptions];

export const send: Operation = {
	option: ['send', 'Send', 'Send text message'],
	description:
		'Send a text message to a person, group or channel. The outcome sent means that the gateway has accepted it, not that the phone has it.',
	...messageOperation(prepareText),
	properties: [...textFields, options(textOptions)],
};
