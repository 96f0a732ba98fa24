import { createHmac } from 'node:crypto';
import { type IncomingHttpHeaders, request } from 'node:http';

/** A customer of the gateway, written from the API document and not from the sandbox. */
export interface Account {
	baseUrl: string;
	token: string;
	secret: string;
}

export interface Reply {
	status: number;
	headers: IncomingHttpHeaders;
	body: Buffer;
	json: Record<string, unknown>;
}

export interface Ask {
	method?: string;
	headers?: Record<string, string>;
	body?: string | Buffer;
}

export async function ask(url: string, { method = 'GET', headers = {}, body }: Ask = {}) {
	const [, host = '', port = '', path = '/'] = /^http:\/\/([^:/]+):(\d+)(.*)$/.exec(url) ?? [];
	return await new Promise<Reply>((resolve, reject) => {
		const sent = request({ host, port, path, method, headers, agent: false }, (response) => {
			const chunks: Buffer[] = [];
			response.on('data', (chunk: Buffer) => chunks.push(chunk));
			response.on('error', reject);
			response.on('end', () => {
				const answer = Buffer.concat(chunks);
				const isJson = response.headers['content-type']?.startsWith('application/json');
				resolve({
					status: response.statusCode ?? 0,
					headers: response.headers,
					body: answer,
					json: isJson ? (JSON.parse(answer.toString()) as Record<string, unknown>) : {},
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

/** Signed with the time of this machine. */
export async function post(account: Account, path: string, fields: unknown): Promise<Reply> {
	const body = typeof fields === 'string' ? fields : JSON.stringify(fields);
	return await ask(urlOf(account, path), {
		method: 'POST',
		headers: { 'Content-Type': 'application/json', ...signatureHeaders(account, body) },
		body,
	});
}

export async function get(account: Account, path: string): Promise<Reply> {
	return await ask(urlOf(account, path));
}

export function textTo(chatId: string, text = 'Hello'): Record<string, unknown> {
	return { chatId, type: 'text', text };
}
