import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

import type { HttpResponse } from '../http/response';
import type { EndpointName } from './endpoints';

export interface RecordedRequest {
	method: string;
	/** The URL as in the request line. */
	url: string;
	/** The headers without cookies. */
	headers: IncomingHttpHeaders;
	endpoint: EndpointName | null;
	/** Whether the request has a signature that was checked and matches. */
	isSigned: boolean;
	/** The recipient of a valid message. */
	chatId: string | null;
	bodyLength: number | null;
	bodySha256: string | null;
	/** Null for bodies of 64 kB and more. All three body fields are null if the request was rejected before its body was read. */
	bodyText: string | null;
	receivedAt: string;
	/** `cut` means that a fault closed the connection, and `left` that the client closed it. */
	outcome: 'pending' | 'answered' | 'cut' | 'left';
	status: number | null;
	/** The code and message of an error response, or a note that the message is a duplicate. */
	reason: string | null;
	answeredAt: string | null;
}

const MAX_REQUESTS = 5_000;
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_TEXT_BYTES = 64 * 1024;
const MAX_REASON = 1_000;
const DUPLICATE =
	'duplicate: A message with this idempotency key was accepted before, so this one is not sent.';

/** Keeps the last requests in order of arrival, including rejected ones. */
export class RequestLog {
	/** The size of each request in bytes. */
	readonly #requests = new Map<RecordedRequest, number>();
	#count = 0;
	#bytes = 0;

	constructor(private readonly now: () => number) {}

	begin(request: IncomingMessage): RecordedRequest {
		// Browsers send the cookies of all ports of a host, for example n8n's sign-in, which must not be in the log.
		const { cookie: _, ...headers } = request.headers;
		const recorded: RecordedRequest = {
			method: request.method ?? '',
			url: request.url ?? '',
			headers,
			endpoint: null,
			isSigned: false,
			chatId: null,
			bodyLength: null,
			bodySha256: null,
			bodyText: null,
			receivedAt: this.#time(),
			outcome: 'pending',
			status: null,
			reason: null,
			answeredAt: null,
		};
		this.#count += 1;
		this.#requests.set(recorded, 0);
		this.#measure(recorded);
		return recorded;
	}

	addBody(recorded: RecordedRequest, body: Buffer): void {
		recorded.bodyLength = body.length;
		recorded.bodySha256 = createHash('sha256').update(body).digest('hex');
		if (body.length >= MAX_TEXT_BYTES) return;
		recorded.bodyText = body.toString();
		this.#measure(recorded);
	}

	end(
		recorded: RecordedRequest,
		outcome: 'answered' | 'cut' | 'left',
		response?: HttpResponse,
	): void {
		recorded.outcome = outcome;
		recorded.status = response?.status ?? null;
		recorded.reason = response ? reasonOf(response) : null;
		recorded.answeredAt = this.#time();
	}

	list(): RecordedRequest[] {
		return [...this.#requests.keys()].map((recorded) => ({ ...recorded }));
	}

	/** Returns the newest requests. Each has a number that never changes. */
	newest(count: number): Array<[number, RecordedRequest]> {
		const oldest = this.#count - this.#requests.size;
		return [...this.#requests.keys()]
			.map((recorded, index): [number, RecordedRequest] => [oldest + index + 1, recorded])
			.slice(-count);
	}

	clear(): void {
		this.#requests.clear();
		this.#bytes = 0;
	}

	/** Updates the size of a request, and drops the oldest requests if the log exceeds its limits. */
	#measure(recorded: RecordedRequest): void {
		const before = this.#requests.get(recorded);
		if (before === undefined) return;
		const size = bytesOf(recorded);
		this.#requests.set(recorded, size);
		this.#bytes += size - before;
		for (const [oldest, oldestSize] of this.#requests) {
			if (this.#requests.size <= MAX_REQUESTS && this.#bytes <= MAX_BYTES) return;
			this.#requests.delete(oldest);
			this.#bytes -= oldestSize;
		}
	}

	#time(): string {
		return new Date(this.now()).toISOString();
	}
}

function reasonOf({ status, body }: HttpResponse): string | null {
	if (status < 400) return body.includes('"duplicate":true') ? DUPLICATE : null;
	if (body.length >= MAX_TEXT_BYTES) return null;
	try {
		const { error, message } = JSON.parse(body.toString()) as Record<string, unknown>;
		const parts = [error, message].filter((part) => typeof part === 'string');
		return parts.join(': ').slice(0, MAX_REASON) || null;
	} catch {
		// The body of a fault need not be JSON.
		return null;
	}
}

/** Returns the size of the parts whose length the client chooses. */
function bytesOf({ url, headers, bodyText }: RecordedRequest): number {
	const texts = [url, ...Object.entries(headers).flat(2), bodyText ?? ''];
	return texts.reduce<number>((total, text) => total + Buffer.byteLength(text ?? ''), 0);
}
