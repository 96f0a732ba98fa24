import type { IncomingMessage } from 'node:http';

import type { ActiveFaults } from './activeFaults';
import { hasSignature, verifySignature, verifyToken } from './authentication';
import { type EndpointName, endpoints, type GatewayState } from './endpoints';
import { runWithFault } from './faultInjection';
import { readBody } from './requestBody';
import type { RecordedRequest, RequestLog } from './requestLog';
import { HttpError, type HttpResponse } from './response';
import { findRoute } from './router';

const MAX_BODY_BYTES = 128 * 1024 * 1024;

export interface Gateway extends GatewayState {
	basePath: string;
	token: string;
	secret: string;
	signDeferred: 'required' | 'optional';
	now: () => number;
	faults: ActiveFaults;
	log: RequestLog;
	/** Aborted when the sandbox closes, so that a delayed response does not keep it open. */
	closing: AbortSignal;
}

export interface GatewayResult {
	response: HttpResponse | 'cut';
	/** For the Date header, which must show a simulated clock offset. */
	clock: number;
}

/** Checks in this order: route, token, signature, fields. Then runs the endpoint's action. */
export async function handleGatewayRequest(
	gateway: Gateway,
	request: IncomingMessage,
	recorded: RecordedRequest,
): Promise<GatewayResult> {
	let clockOffsetMs = 0;
	const clock = () => gateway.now() + clockOffsetMs;
	try {
		const body = await readBody(request, MAX_BODY_BYTES);
		gateway.log.addBody(recorded, body);
		const route = findRoute(request.method ?? '', request.url ?? '', gateway.basePath);
		recorded.endpoint = route.endpoint;

		const fault = gateway.faults.take(route.endpoint, () => readChatId(body)) ?? {};
		clockOffsetMs = fault.clockOffsetMs ?? 0;

		verifyToken(route.token, gateway.token);
		if (mustVerifySignature(gateway, route.endpoint, request)) {
			const signed = { headers: request.headers, body, clock: clock() };
			verifySignature(signed, gateway.token, gateway.secret);
		}
		const contentType = request.headers['content-type'];
		const { deliveryKey } = route;
		const { handler } = endpoints[route.endpoint];
		const action = handler({ body, contentType, deliveryKey }, gateway);
		const response = await runWithFault(fault, action, gateway.closing);
		return { response, clock: clock() };
	} catch (error) {
		if (error instanceof HttpError) return { response: error.toResponse(), clock: clock() };
		throw error;
	}
}

function mustVerifySignature(
	{ signDeferred }: Gateway,
	endpoint: EndpointName,
	{ headers }: IncomingMessage,
): boolean {
	const { signed } = endpoints[endpoint];
	if (signed !== 'not stated') return signed === 'yes';
	return signDeferred === 'required' || hasSignature(headers);
}

/** Only for matching faults. The body is not validated yet, so anything unexpected is ignored. */
function readChatId(body: Buffer): string | undefined {
	try {
		const fields = JSON.parse(body.toString()) as { chatId?: unknown; phone?: unknown } | null;
		const chatId = fields?.chatId ?? fields?.phone;
		return typeof chatId === 'string' ? chatId : undefined;
	} catch {
		return undefined;
	}
}
