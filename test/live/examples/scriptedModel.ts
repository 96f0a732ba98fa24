import { completion, type Turn } from '../../../dev/sandbox/model/completion';
import { startServer } from '../localServer';
import type { Json } from '../n8n';

interface ModelRequest {
	stream?: boolean;
	messages: Array<{ role: string; content: string }>;
	tools: Array<{ function: { name: string; parameters: { properties: Json } } }>;
}

/** A stub of OpenAI's API. Turns that are added to the script later are used too. */
export async function startScriptedModel(turns: Turn[]) {
	const requests: ModelRequest[] = [];
	const { url, close } = await startServer((body, path) => {
		// n8n Agents and the Assistant try OpenAI's newer API first.
		if (!path.endsWith('/chat/completions')) return undefined;
		const request = JSON.parse(body) as ModelRequest;
		requests.push(request);
		const response = completion(turns[requests.length - 1] ?? 'I have nothing more to say.');
		return request.stream ? streamOf(response, requests.length) : JSON.stringify(response);
	});
	/** What the model was told about its calls. */
	const toolResults = () =>
		requests
			.at(-1)!
			.messages.filter(({ role }) => role === 'tool')
			.map(({ content }) => content);
	return { credential: { apiKey: 'placeholder', url: `${url}/v1` }, requests, toolResults, close };
}

/** The response as a stream of one chunk. The ID of a call is unique in the conversation. */
function streamOf({ choices, ...rest }: ReturnType<typeof completion>, turn: number) {
	const { message, ...end } = choices[0]!;
	const tool_calls = message.tool_calls?.map((call, index) => {
		return { ...call, index, id: `turn-${turn}-${call.id}` };
	});
	const chunk = { ...rest, choices: [{ ...end, delta: { ...message, tool_calls } }] };
	return `data: ${JSON.stringify({ ...chunk, object: 'chat.completion.chunk' })}\n\ndata: [DONE]\n\n`;
}
