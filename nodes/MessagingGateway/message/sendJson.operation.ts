import { endpoints } from '../../../gateway/wire/endpoints';
import { chatAndKeyOf, customJson } from '../../../gateway/wire/messageBody';
import { namedRecipient } from '../../../gateway/wire/guard';
import { choice, json, options } from '../fields/field';
import { choiceOf } from '../fields/read';
import { isModelCall } from '../n8n/toolCalls';
import type { Item } from '../operation/item';
import type { Operation } from '../operation/operation';
import { type NewMessage, sendMessages } from './sendMessages';
import { sendOptions, toolOptions } from './sendOptions';

const endpointField = choice('endpoint', 'Endpoint', 'sendMessage', [
	['sendMedia', 'Send Media', 'For files'],
	['sendMessage', 'Send Message', 'For texts'],
])('Where the body is sent');

const body = json('body', 'Body', {
	required: true,
	example: '{"chatId": "4915123456789", "type": "text", "text": "Hello"}',
})('The JSON text, signed and sent exactly as it is, including spaces');

/** Parses the body only to find the chat and the key, because it is sent exactly as the user entered it. */
function jsonMessage({ context, credentials = {}, field }: Item): NewMessage {
	// The body cannot have a name in place of an ID.
	namedRecipient(credentials, undefined, isModelCall(context));
	const { text, fields } = customJson(field('body'));
	const parts = [Buffer.from(text)];
	return { ...chatAndKeyOf(fields), endpoint: endpoints[choiceOf(endpointField, field)], parts };
}

export const sendJson: Operation = {
	option: ['sendJson', 'Send Custom JSON', 'Send custom JSON'],
	description: 'Send a message whose JSON you write yourself, byte for byte',
	builderHint: 'Only for bodies that send and sendMedia cannot write.',
	execute: async (context) => await sendMessages(context, jsonMessage),
	properties: [endpointField, body, ...options([...sendOptions, ...toolOptions])],
};
