import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

import type { Json } from '../n8n';

interface Message {
	role: string;
	content: string;
}

export interface Asked {
	messages: Message[];
	tools: Array<{ function: { name: string; parameters: { properties: Json } } }>;
}

interface ToolCall {
	tool: string;
	args: Json;
}

/** Speaks OpenAI's language on loopback, and says what it is told: a call of a tool, or a sentence, turn by turn. */
export async function scriptedModel(turns: Array<ToolCall | string>) {
	const asked: Asked[] = [];
	const server = createServer((request, response) => {
		void (async () => {
			asked.push((await json(request)) as Asked);
			const turn = turns[asked.length - 1] ?? 'I have nothing more to say.';
			response.setHeader('Content-Type', 'application/json');
			response.end(JSON.stringify(completion(turn)));
		})();
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	return {
		baseUrl: `http://127.0.0.1:${port}/v1`,
		asked,
		close: async () => {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
}

function completion(turn: ToolCall | string) {
	const isSentence = typeof turn === 'string';
	return {
		id: 'completion',
		object: 'chat.completion',
		created: 0,
		model: 'scripted',
		choices: [
			{
				index: 0,
				finish_reason: isSentence ? 'stop' : 'tool_calls',
				message: isSentence
					? { role: 'assistant', content: turn }
					: { role: 'assistant', content: null, tool_calls: [call(turn)] },
			},
		],
		usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
	};
}

function call({ tool, args }: ToolCall) {
	const called = { name: tool, arguments: JSON.stringify(args) };
	return { id: `call-${tool}`, type: 'function', function: called };
}
