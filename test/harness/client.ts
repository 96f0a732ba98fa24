import { createHmac } from 'node:crypto';
import { type IncomingHttpHeaders, request } from 'node:http';

/** The credentials of a client. This client follows the API document and shares no code with the sandbox. */
export interface Account {
	baseUrl: string;
	token: string;
	secret: string;
}

export interface ClientResponse {
	status: number;
	headers: IncomingHttpHeaders;
	body: Buffer;
	json: Record<string, unknown>;
}

interface RequestOptions {
	method?: string;
	headers?: Record<string, string>;
	body?: string | Buffer;
}

export async function sendRequest(
	url: string,
	{ method = 'GET', headers = {}, body }: RequestOptions = {},
): Promise<ClientResponse> {
	const [, host = '', port = '', path = '/'] = /^http:\/\/([^:/]+):(\d+)(.*)$/.exec(url) ?? [];
	return await new Promise<ClientResponse>((resolve, reject) => {
		const sent = request({ host, port, path, method, headers, agent: false }, (response) => {
			const chunks: Buffer[] = [];
			response.on('data', (chunk: Buffer) => chunks.push(chunk));
			response.on('error', reject);
			response.on('end', () => {
				const bytes = Buffer.concat(chunks);
				const isJson = response.headers['content-type']?.startsWith('application/json');
				resolve({
					status: response.statusCode ?? 0,
					headers: response.headers,
					body: bytes,
					json: isJson ? (JSON.parse(bytes.toString()) as Record<string, unknown>) : {},
				});
			});
		});
		sent.on('error', reject);
		sent.end(body);
	});
}

export function urlOf({ baseUrl, token }: Account, path: string): string {
	return `${baseUrl}/api/whatsapp/${encodeURIComponent(token)}/${path}`;
}

export function signatureHeaders(
	{ token, secret }: Account,
	body: string,
	now = Date.now(),
): Record<string, string> {
	return {
		'X-API-Timestamp': String(now),
		'X-API-Signature': createHmac('sha256', secret).update(`${now}${token}${body}`).digest('hex'),
	};
}

/** Without a signature. */
export async function postJson(
	url: string,
	body?: unknown,
	headers: Record<string, string> = {},
): Promise<ClientResponse> {
	return await sendRequest(url, {
		method: 'POST',
		headers: { 'Content-Type': 'application/json', ...headers },
		body: JSON.stringify(body),
	});
}

/** Signs with the local clock. */
export async function post(
	account: Account,
	path: string,
	fields: unknown,
): Promise<ClientResponse> {
	const body = typeof fields === 'string' ? fields : JSON.stringify(fields);
	return await sendRequest(urlOf(account, path), {
		method: 'POST',
		headers: { 'Content-Type': 'application/json', ...signatureHeaders(account, body) },
		body,
	});
}

export async function get(account: Account, path: string): Promise<ClientResponse> {
	return await sendRequest(urlOf(account, path));
}

export function textTo(chatId: string, text = 'Hello'): Record<string, unknown> {
	return { chatId, type: 'text', text };
}
