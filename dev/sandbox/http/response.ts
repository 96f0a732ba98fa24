/** An HTTP response without its status line and Date header, which the server adds. */
export interface HttpResponse {
	status: number;
	headers: Record<string, string>;
	body: Buffer;
}

export function jsonResponse(
	status: number,
	value: unknown,
	headers: Record<string, string> = {},
): HttpResponse {
	return {
		status,
		headers: { 'Content-Type': 'application/json; charset=utf-8', ...headers },
		body: Buffer.from(JSON.stringify(value)),
	};
}

/** Rejects a request. Any code may throw it, and the response is always JSON. */
export class HttpError extends Error {
	constructor(
		readonly status: number,
		readonly code: string,
		message: string,
		readonly headers: Record<string, string> = {},
	) {
		super(message);
	}

	toResponse(): HttpResponse {
		return jsonResponse(this.status, { error: this.code, message: this.message }, this.headers);
	}
}
