import { completion, type Turn } from '../../../dev/sandbox/model/completion';
import { startServer } from '../localServer';
import type { Json } from '../n8n';

interface ModelRequest {
	messages: Array<{ role: string; content: string }>;
	tools: Array<{ function: { name: string; parameters: { properties: Json } } }>;
}

/** A stub of OpenAI's API. Turns that are added to the script later are used too. */
export async function startScriptedModel(turns: Turn[]) {
	const requests: ModelRequest[] = [];
	const { url, close } = await startServer((body) => {
		requests.push(JSON.parse(body) as ModelRequest);
		return JSON.stringify(completion(turns[requests.length - 1] ?? 'I have nothing more to say.'));
	});
	/** What the model was told about its calls. */
	const toolResults = () =>
		requests
			.at(-1)!
			.messages.filter(({ role }) => role === 'tool')
			.map(({ content }) => content);
	return { credential: { apiKey: 'placeholder', url: `${url}/v1` }, requests, toolResults, close };
}
