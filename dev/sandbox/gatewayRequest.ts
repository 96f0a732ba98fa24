import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

import {
	hasSignature,
	requireSignature,
	verifySignature,
	verifySignatureHeaders,
	verifyToken,
} from './api/authentication';
import { type Action, type EndpointName, endpoints, type GatewayState } from './api/endpoints';
import type { Message } from './account/accountStore';
import type { RecordedRequest, RequestLog } from './api/requestLog';
import { findRoute } from './api/router';
import type { ActiveFaults } from './faults/activeFaults';
import { runWithFault } from './faults/faultInjection';
import type { BodiesInFlight, ReceivedBody } from './http/requestBody';
import { HttpError, type HttpResponse } from './http/response';

export interface Gateway extends GatewayState {
	basePath: string;
	token: string;
	secret: string;
	signDeferred: 'required' | 'optional';
	now: () => number;
	faults: ActiveFaults;
	bodies: BodiesInFlight;
	log: RequestLog;
	/** Aborted when the sandbox closes, so that a delayed response does not keep the sandbox open. */
	closing: AbortSignal;
}

export interface GatewayResult {
	response: HttpResponse | 'cut';
	/** The time for the Date header, which must include a simulated clock offset. */
	clock: number;
}

/**
 * Checks route, token, signature and fields in this order, then runs the endpoint's action. Reads the body after all checks that
 * do not need it. Only a fault for a chat needs the body earlier, because it can shift the clock of the timestamp check.
 */
export async function handleGatewayRequest(
	gateway: Gateway,
	request: IncomingMessage,
	recorded: RecordedRequest,
): Promise<GatewayResult> {
	let clockOffsetMs = 0;
	const clock = () => gateway.now() + clockOffsetMs;
	const { headers } = request;
	let received: ReceivedBody | undefined;
	const readBody = async () => {
		received ??= await gateway.bodies.read(request);
		return received.bytes;
	};
	try {
		const route = findRoute(request.method ?? '', request.url ?? '', gateway.basePath);
		recorded.endpoint = route.endpoint;
		verifyToken(route.token, gateway.token);
		const isSigned = mustVerifySignature(gateway, route.endpoint, headers);
		if (isSigned) requireSignature(headers);

		const chatId = gateway.faults.needsChatId(route.endpoint)
			? readChatId(await readBody())
			: undefined;
		const fault = gateway.faults.take(route.endpoint, chatId) ?? {};
		clockOffsetMs = fault.clockOffsetMs ?? 0;

		let action: Action;
		try {
			if (isSigned) verifySignatureHeaders(headers, clock());
			const body = await readBody();
			gateway.log.addBody(recorded, body);
			if (isSigned) verifySignature(headers, body, gateway);
			recorded.isSigned = isSigned;
			const contentType = headers['content-type'];
			const { deliveryKey } = route;
			const onMessage = ({ chatId }: Message) => (recorded.chatId = chatId);
			const validated = { body, contentType, deliveryKey, onMessage };
			action = endpoints[route.endpoint].handler(validated, gateway);
		} catch (error) {
			// The fault did not take effect, so it stays active. A clock offset did: it applies to the checks.
			if (fault.clockOffsetMs === undefined) gateway.faults.giveBack(fault);
			throw error;
		}
		const response = await runWithFault(fault, action, gateway.closing);
		return { response, clock: clock() };
	} catch (error) {
		if (error instanceof HttpError) return { response: error.toResponse(), clock: clock() };
		throw error;
	} finally {
		received?.release();
	}
}

function mustVerifySignature(
	{ signDeferred }: Gateway,
	endpoint: EndpointName,
	headers: IncomingHttpHeaders,
): boolean {
	const { signed } = endpoints[endpoint];
	if (signed !== 'not stated') return signed === 'yes';
	return signDeferred === 'required' || hasSignature(headers);
}

/** Returns the chat, only to match faults. Ignores anything unexpected, because the body is not validated yet. */
function readChatId(body: Buffer): string | undefined {
	try {
		const fields = JSON.parse(body.toString()) as { chatId?: unknown; phone?: unknown } | null;
		const chatId = fields?.chatId ?? fields?.phone;
		return typeof chatId === 'string' ? chatId : undefined;
	} catch {
		return undefined;
	}
}
