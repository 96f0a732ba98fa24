import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

import type { EndpointName } from './endpoints';

export interface RecordedRequest {
	method: string;
	/** As in the request line. */
	url: string;
	headers: IncomingHttpHeaders;
	endpoint: EndpointName | null;
	bodyLength: number | null;
	bodySha256: string | null;
	/** Null for bodies of 64 kB and more. */
	bodyText: string | null;
	receivedAt: string;
	/** `cut`: a fault closed the connection. `left`: the client closed it. */
	outcome: 'pending' | 'answered' | 'cut' | 'left';
	status: number | null;
	answeredAt: string | null;
}

const MAX_REQUESTS = 5_000;
const MAX_TEXT_BYTES = 64 * 1024;

/** The last requests in order of arrival, including rejected ones. */
export class RequestLog {
	#requests: RecordedRequest[] = [];

	constructor(private readonly now: () => number) {}

	begin(request: IncomingMessage): RecordedRequest {
		const recorded: RecordedRequest = {
			method: request.method ?? '',
			url: request.url ?? '',
			headers: { ...request.headers },
			endpoint: null,
			bodyLength: null,
			bodySha256: null,
			bodyText: null,
			receivedAt: this.#time(),
			outcome: 'pending',
			status: null,
			answeredAt: null,
		};
		this.#requests.push(recorded);
		if (this.#requests.length > MAX_REQUESTS) this.#requests.shift();
		return recorded;
	}

	addBody(recorded: RecordedRequest, body: Buffer): void {
		recorded.bodyLength = body.length;
		recorded.bodySha256 = createHash('sha256').update(body).digest('hex');
		if (body.length < MAX_TEXT_BYTES) recorded.bodyText = body.toString();
	}

	end(recorded: RecordedRequest, outcome: 'answered' | 'cut' | 'left', status?: number): void {
		recorded.outcome = outcome;
		recorded.status = status ?? null;
		recorded.answeredAt = this.#time();
	}

	list(): RecordedRequest[] {
		return this.#requests.map((recorded) => ({ ...recorded }));
	}

	clear(): void {
		this.#requests = [];
	}

	#time(): string {
		return new Date(this.now()).toISOString();
	}
}
