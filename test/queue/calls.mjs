import { randomBytes, randomUUID } from 'node:crypto';

const CHATS = 50;
const FILE_BYTES = 20_000;
const TEXTS_PER_SERIES = 5;

/**
 * Webhook calls: out of ten, one uploads a file, one has a series of five texts for one chat, and eight have one text.
 * Every message has a unique name: its text or caption.
 */
export function createCalls(count) {
	return Array.from({ length: count }, (_, number) => {
		if (number % 10 === 3) return fileCall(number);
		return textCall(number, number % 10 === 7 ? TEXTS_PER_SERIES : 1);
	});
}

export function createTextCalls(count) {
	return Array.from({ length: count }, (_, number) => textCall(number, 1));
}

/** Calls of the example that stores each request as a row. The name of the message is the ID of the request, too. */
export function createOutboxCalls(count, login) {
	const authorization = `Basic ${Buffer.from(`${login.user}:${login.password}`).toString('base64')}`;
	return Array.from({ length: count }, (_, number) => {
		const text = randomUUID();
		return {
			messages: [text],
			webhook: 'outbox',
			headers: { 'content-type': 'application/json', authorization },
			body: JSON.stringify({ id: text, to: chatOf(number), text }),
		};
	});
}

const chatOf = (number) => `4477009${String(number % CHATS).padStart(5, '0')}`;

function textCall(number, count) {
	const messages = Array.from({ length: count }, () => randomUUID());
	return {
		messages,
		webhook: 'texts',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ messages: messages.map((text) => ({ chat: chatOf(number), text })) }),
	};
}

function fileCall(number) {
	const caption = randomUUID();
	const file = randomBytes(FILE_BYTES);
	return {
		messages: [caption],
		file,
		webhook: 'file',
		query: `?${new URLSearchParams({ chat: chatOf(number), caption })}`,
		headers: { 'content-type': 'application/pdf' },
		body: file,
	};
}
