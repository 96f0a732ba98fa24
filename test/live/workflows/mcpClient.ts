import type { Json } from '../n8n';

interface Tool {
	name: string;
	description: string;
	inputSchema: { properties: Json };
}

/** A minimal MCP client: streamable HTTP, one session, tools. */
export class McpClient {
	#session: string | undefined;
	#id = 0;

	constructor(
		private readonly url: string,
		private readonly headers: Record<string, string> = {},
	) {}

	/** Returns the instructions of the server. */
	async initialize(): Promise<string | undefined> {
		const { instructions } = (await this.#request('initialize', {
			protocolVersion: '2025-03-26',
			capabilities: {},
			clientInfo: { name: 'test', version: '1' },
		})) as { instructions?: string };
		return instructions;
	}

	async tools(): Promise<Tool[]> {
		return ((await this.#request('tools/list', {})) as { tools: Tool[] }).tools;
	}

	/** The text that the tool returns to the model. */
	async callTool(name: string, args: Json): Promise<string> {
		const { content } = (await this.#request('tools/call', { name, arguments: args })) as {
			content: Array<{ text: string }>;
		};
		return content.map(({ text }) => text).join('\n');
	}

	async #request(method: string, params: Json): Promise<unknown> {
		this.#id += 1;
		const response = await fetch(this.url, {
			method: 'POST',
			headers: {
				'content-type': 'application/json',
				accept: 'application/json, text/event-stream',
				...this.headers,
				...(this.#session !== undefined && { 'mcp-session-id': this.#session }),
			},
			body: JSON.stringify({ jsonrpc: '2.0', id: this.#id, method, params }),
		});
		this.#session ??= response.headers.get('mcp-session-id') ?? undefined;
		const message = parseMessage(await response.text());
		if (message.error) throw new Error(JSON.stringify(message.error));
		return message.result;
	}
}

/** A response is JSON, or an event stream with one event. */
function parseMessage(text: string): { result?: unknown; error?: unknown } {
	const data = /^data: (.*)$/m.exec(text)?.[1] ?? text;
	return JSON.parse(data) as { result?: unknown; error?: unknown };
}
