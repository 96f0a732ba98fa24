import { setTimeout as delay } from 'node:timers/promises';

import { authenticatedRequest } from '../../credentials/requestHook';
import { retryAfterMs } from '../../gateway/failures/retryPolicy';
import { deliveryPath, type Endpoint, endpoints } from '../../gateway/wire/endpoints';
import { jsonBody } from '../../gateway/wire/messageBody';
import { type Redact, redactor } from '../../gateway/wire/redaction';
import { type GatewayResponse, readResponse } from '../../gateway/wire/response';
import { SIGNATURE_HEADER, signatureHeaders, TIMESTAMP_HEADER } from '../../gateway/wire/signature';

const TIMEOUT_MS = 30_000;
const ATTEMPTS = 3;
const DEFAULT_WAIT_MS = 10_000;
const MAX_WAIT_MS = 60_000;

export interface Credentials {
	baseUrl: string;
	token: string;
	secret: string;
}

/** `node`: exactly as the node signs it. */
export type Signing = 'node' | 'none' | 'wrong secret' | { offByMs: number };

/** One request, and what happened to it. */
export interface Exchange {
	endpoint: Endpoint;
	signing: Signing;
	tookMs: number;
	response?: GatewayResponse;
	/** Why there is no response. */
	failure?: string;
}

type EndpointName = keyof typeof endpoints;

interface RequestOptions {
	body?: Record<string, unknown>;
	deliveryKey?: string;
	signing?: Signing;
}

/** Sends requests as the node does, with its URLs, its bodies and its signatures. */
export class Gateway {
	readonly redact: Redact;

	constructor(private readonly credentials: Credentials) {
		this.redact = redactor([credentials.token, credentials.secret]);
	}

	/** Waits and sends again after a 429, which says nothing about the question. */
	async send(name: EndpointName, options: RequestOptions = {}): Promise<Exchange> {
		for (let attempt = 1; ; attempt += 1) {
			const exchange = await this.sendOnce(name, options);
			if (exchange.response?.status !== 429 || attempt === ATTEMPTS) return exchange;
			const waitMs = retryAfterMs(exchange.response, Date.now()) ?? DEFAULT_WAIT_MS;
			await delay(Math.min(waitMs, MAX_WAIT_MS));
		}
	}

	async sendOnce(
		name: EndpointName,
		{ body, deliveryKey = '', signing = 'node' }: RequestOptions = {},
	): Promise<Exchange> {
		const endpoint: Endpoint = endpoints[name];
		const { baseUrl, token: gatewayToken, secret: gatewaySecret } = this.credentials;
		const request = authenticatedRequest(
			{ baseUrl, gatewayToken, gatewaySecret },
			{
				method: endpoint.method,
				url: deliveryPath(endpoint.path, deliveryKey),
				...(body && { body: jsonBody(body) }),
			},
		);
		const sent = request.body as Buffer | undefined;
		const startedAt = Date.now();
		const outcome = await this.#fetch(request.url, {
			method: endpoint.method,
			headers: this.#headers(request.headers as Record<string, string>, sent, signing),
			body: sent && new Uint8Array(sent),
			redirect: 'manual',
			signal: AbortSignal.timeout(TIMEOUT_MS),
		});
		return { endpoint, signing, tookMs: Date.now() - startedAt, ...outcome };
	}

	#headers(headers: Record<string, string>, body: Buffer | undefined, signing: Signing) {
		if (signing === 'node') return headers;
		const { [TIMESTAMP_HEADER]: _time, [SIGNATURE_HEADER]: _signature, ...others } = headers;
		if (signing === 'none') return others;
		const { token, secret } = this.credentials;
		const isWrong = signing === 'wrong secret';
		const key = { token, secret: isWrong ? `not ${secret}` : secret };
		const time = Date.now() + (isWrong ? 0 : signing.offByMs);
		return { ...others, ...signatureHeaders(key, body ?? '', time) };
	}

	async #fetch(url: string, options: RequestInit): Promise<Pick<Exchange, 'response' | 'failure'>> {
		try {
			const received = await fetch(url, options);
			const { status, headers } = received;
			const bytes = Buffer.from(await received.arrayBuffer());
			const read = { status, headers: Object.fromEntries(headers), bytes };
			return { response: readResponse(read, this.redact) };
		} catch (error) {
			// Only the code: the error itself has the URL, and with it the token.
			const { name, cause } = error as Error & { cause?: { code?: string } };
			return { failure: cause?.code ?? name };
		}
	}
}
