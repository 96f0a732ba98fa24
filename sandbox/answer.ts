/** What goes back over the wire, before status line and Date are written. */
export interface Answer {
	status: number;
	headers: Record<string, string>;
	body: Buffer;
}

export function answerJson(
	status: number,
	value: unknown,
	headers: Record<string, string> = {},
): Answer {
	return {
		status,
		headers: { 'Content-Type': 'application/json; charset=utf-8', ...headers },
		body: Buffer.from(JSON.stringify(value)),
	};
}

/** A request that is turned down: thrown anywhere, answered in one place, always as JSON. */
export class Refusal extends Error {
	constructor(
		readonly status: number,
		readonly code: string,
		message: string,
		readonly headers: Record<string, string> = {},
	) {
		super(message);
	}

	answer(): Answer {
		return answerJson(this.status, { error: this.code, message: this.message }, this.headers);
	}
}
