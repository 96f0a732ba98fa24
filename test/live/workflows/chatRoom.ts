import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** Receives messages on 127.0.0.1 like the incoming webhook of a chat app. */
export async function startChatRoom() {
	const messages: unknown[] = [];
	const server = createServer((request, response) => {
		void (async () => {
			messages.push(await json(request));
			response.end('ok');
		})();
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	return { url: `http://127.0.0.1:${port}/`, messages, close: () => server.close() };
}
