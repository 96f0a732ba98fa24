import { MAX_TEXT_LENGTH, requiredText } from '../../../gateway/inputValues';
import { options, text } from '../fields/field';
import { optionsIn } from '../fields/read';
import type { Operation } from '../request/operation';
import { formatted, messageOptions, recipient } from './fields';
import { messageOperation } from './messageOperation';
import type { PrepareMessage } from './preparedMessage';
import { sendOptions } from './sendOptions';
import { splitLongText, textMessage } from './textMessage';

const prepare: PrepareMessage = (item) => {
	const option = optionsIn(item.field);
	return textMessage(item, option, () => {
		const entered = requiredText(
			item.field('text'),
			'Text',
			'Enter the text of the message.',
			MAX_TEXT_LENGTH,
		);
		return formatted(entered, option, 'Text');
	});
};

const textField = text('text', 'Text', {
	required: true,
	example: 'Your table is booked for 7 pm',
	rows: 4,
})('The text of the message');

export const send: Operation = {
	option: ['send', 'Send', 'Send text message'],
	description:
		'Send a text message to a person, group or channel. The outcome sent means that the gateway has accepted it, not that the phone has it.',
	...messageOperation(prepare),
	properties: [recipient, textField, options([...messageOptions, splitLongText, ...sendOptions])],
};
