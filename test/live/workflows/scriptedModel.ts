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

export interface ToolCall {
	tool: string;
	args: Json;
}

/** A tool call, several in parallel, or a text. */
type Turn = ToolCall | ToolCall[] | string;

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

function completion(turn: Turn) {
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
					: { role: 'assistant', content: null, tool_calls: [turn].flat().map(toolCall) },
			},
		],
		usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
	};
}

function toolCall({ tool, args }: ToolCall, index: number) {
	const call = { name: tool, arguments: JSON.stringify(args) };
	return { id: `call-${index}-${tool}`, type: 'function', function: call };
}
