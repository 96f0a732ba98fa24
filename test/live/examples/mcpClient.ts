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
		const protocolVersion = '2025-03-26';
		const clientInfo = { name: 'test', version: '1' };
		const params = { protocolVersion, capabilities: {}, clientInfo };
		return (await this.#request<{ instructions?: string }>('initialize', params)).instructions;
	}

	async tools(): Promise<Tool[]> {
		return (await this.#request<{ tools: Tool[] }>('tools/list', {})).tools;
	}

	/** The text that the tool returns to the model. */
	async callTool(name: string, args: Json): Promise<string> {
		const called = { name, arguments: args };
		const { content } = await this.#request<{ content: Array<{ text: string }> }>(
			'tools/call',
			called,
		);
		return content.map(({ text }) => text).join('\n');
	}

	async #request<Result>(method: string, params: Json): Promise<Result> {
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
		const text = await response.text();
		// JSON, or an event stream with one event.
		const { result, error } = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text) as Json;
		if (error) throw new Error(JSON.stringify(error));
		return result as Result;
	}
}
