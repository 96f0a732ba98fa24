import { endpoints } from '../../../gateway/wire/endpoints';
import { chatAndKeyOf, customJson } from '../../../gateway/wire/messageBody';
import { choice, json, options } from '../fields/field';
import { choiceOf } from '../fields/read';
import type { Operation } from '../request/operation';
import { messageOperation } from './messageOperation';
import type { PrepareMessage } from './preparedMessage';
import { sendOptions } from './sendOptions';

const endpoint = choice('endpoint', 'Endpoint', 'sendMessage', [
	['sendMedia', 'Send Media', 'For files'],
	['sendMessage', 'Send Message', 'For texts'],
])('Where the body is sent');

const body = json('body', 'Body', {
	required: true,
	example: '{"chatId": "4915123456789", "type": "text", "text": "Hello"}',
})('The JSON text, signed and sent exactly as it is, including spaces');

/** The body is parsed only to find the chat and the key. */
const prepare: PrepareMessage = ({ field }) => {
	const { text, fields } = customJson(field('body', ''));
	const message = { ...chatAndKeyOf(fields), parts: [{ json: text }] };
	return { ...message, endpoint: endpoints[choiceOf(endpoint, field)] };
};

export const sendJson: Operation = {
	option: ['sendJson', 'Send Custom JSON', 'Send custom JSON'],
	description: 'Send a message whose JSON you write yourself, byte for byte',
	builderHint: 'Only for bodies that send and sendMedia cannot write.',
	...messageOperation(prepare),
	properties: [endpoint, body, options(sendOptions)],
};
