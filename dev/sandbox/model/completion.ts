/** What the model returns: a tool call, several parallel tool calls, or a text. */
export type Turn = ToolCall | ToolCall[] | string;

export interface ToolCall {
	tool: string;
	args: Record<string, unknown>;
}

/** Returns a turn of the model as a response of OpenAI's API. */
export function completion(turn: Turn) {
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
