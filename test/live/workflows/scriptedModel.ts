import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

import type { Json } from '../n8n';

interface Message {
	role: string;
	content: string;
}

interface ModelRequest {
	messages: Message[];
	tools: Array<{ function: { name: string; parameters: { properties: Json } } }>;
}

interface ToolCall {
	tool: string;
	args: Json;
}

/** A stub of OpenAI's API on 127.0.0.1. Each turn of the script is a tool call or a text. */
export async function startScriptedModel(turns: Array<ToolCall | string>) {
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

function completion(turn: ToolCall | string) {
	const isText = typeof turn === 'string';
	return {
		id: 'completion',
		object: 'chat.completion',
		created: 0,
		model: 'scripted',
		choices: [
			{
				index: 0,
				finish_reason: isText ? 'stop' : 'tool_calls',
				message: isText
					? { role: 'assistant', content: turn }
					: { role: 'assistant', content: null, tool_calls: [toolCall(turn)] },
			},
		],
		usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
	};
}

function toolCall({ tool, args }: ToolCall) {
	const call = { name: tool, arguments: JSON.stringify(args) };
	return { id: `call-${tool}`, type: 'function', function: call };
}
