import { randomBytes, randomUUID } from 'node:crypto';

const CHATS = 50;
const FILE_BYTES = 20_000;
const SERIES = 5;

/**
 * What is posted to the webhooks: of ten calls one brings a file, one a series of five texts for one chat, the others a
 * text each. Every message says which one it is, of all that there ever were.
 */
export function newCalls(count) {
	return Array.from({ length: count }, (_, number) => {
		if (number % 10 === 3) return fileCall(number);
		return textCall(number, number % 10 === 7 ? SERIES : 1);
	});
}

/** Nothing but single texts. */
export function newTexts(count) {
	return Array.from({ length: count }, (_, number) => textCall(number, 1));
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
