import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

import { startSandbox } from '../sandbox/sandbox';

export type Addresses = Awaited<ReturnType<typeof start>>;

async function start() {
	const { baseUrl, token, secret, controlUrl, controlKey } = await startSandbox();
	return {
		account: { baseUrl, token, secret },
		controlUrl,
		controlKey,
		/** A stub of Telegram's API. The path starts with the latency in ms. */
		telegramUrl: await listen(sendMessage),
		/** A web server: the path is the size of the file that it sends. */
		filesUrl: await listen(sendFile),
	};
}

const sendMessage: RequestListener = (request, response) =>
	void (async () => {
		const { chat_id: chatId, text } = (await json(request)) as Record<string, string>;
		await delay(Number(request.url!.split('/')[1]));
		const chat = { id: Number(chatId), type: 'private' };
		const result = { message_id: 1, chat, date: Math.floor(Date.now() / 1000), text };
		response.setHeader('Content-Type', 'application/json');
		response.end(JSON.stringify({ ok: true, result }));
	})();

const sendFile: RequestListener = ({ url = '' }, response) => {
	response.setHeader('Content-Type', 'video/mp4');
	response.end(Buffer.alloc(Number(url.slice(1)), '\0\x01'));
};

async function listen(respondTo: RequestListener): Promise<string> {
	const server = createServer(respondTo).listen(0, '127.0.0.1');
	await once(server, 'listening');
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

process.once('disconnect', () => process.exit(1));
void start().then((addresses) => process.send!(addresses));
