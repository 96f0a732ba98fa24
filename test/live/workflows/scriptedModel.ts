import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

import { completion, type Turn } from '../../../sandbox/model/completion';
import type { Json } from '../n8n';

interface Message {
	role: string;
	content: string;
}

interface ModelRequest {
	messages: Message[];
	tools: Array<{ function: { name: string; parameters: { properties: Json } } }>;
}

/** A stub of OpenAI's API on 127.0.0.1. Turns that are added to the script later are used too. */
export async function startScriptedModel(turns: Turn[]) {
	const requests: ModelRequest[] = [];
	const server = createServer((request, response) => {
		void (async () => {
			requests.push((await json(request)) as ModelRequest);
			const turn = turns[requests.length - 1] ?? 'I have nothing more to say.';
			response.setHeader('Content-Type', 'application/json');
			response.end(JSON.stringify(completion(turn)));
		})();
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	return {
		baseUrl: `http://127.0.0.1:${port}/v1`,
		requests,
		close: async () => {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
}
