import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { type Duplex, finished } from 'node:stream';

import { type ControlContext, handleControlRequest, isControlRequest } from './control';
import { type Gateway, handleGatewayRequest } from './gatewayRequest';
import { ClientDisconnected } from './http/requestBody';
import { HttpError, type HttpResponse, jsonResponse } from './http/response';
import { handleModelRequest, isModelRequest } from './model/modelRequest';
import { handlePhoneRequest, isPhoneRequest, type PhoneContext } from './phone/phone';

export function handleRequests(
	server: Server,
	gateway: Gateway,
	control: ControlContext,
	phone: PhoneContext,
): void {
	server.on('request', (request: IncomingMessage, response: ServerResponse) => {
		// Without a listener, a client disconnect would end the process. The request log records it.
		request.on('error', () => {});
		response.on('error', () => {});
		dispatch(request, response).catch((error: unknown) =>
			handleUnexpectedError(gateway, request, response, error),
		);
	});
	server.on('clientError', respondToInvalidHttp);

	async function dispatch(request: IncomingMessage, response: ServerResponse): Promise<void> {
		if (isPhoneRequest(request)) {
			return await sendSandboxResponse(
				gateway,
				request,
				response,
				async () => await handlePhoneRequest(phone, request, response),
			);
		}
		if (isModelRequest(request)) {
			return await sendSandboxResponse(
				gateway,
				request,
				response,
				async () => await handleModelRequest(gateway.bodies, request),
			);
		}
		if (isControlRequest(request.url ?? '')) {
			return await sendSandboxResponse(
				gateway,
				request,
				response,
				async () => await handleControlRequest(control, request),
			);
		}
		return await sendGatewayResponse(gateway, request, response);
	}
}

async function sendGatewayResponse(
	gateway: Gateway,
	request: IncomingMessage,
	response: ServerResponse,
): Promise<void> {
	const recorded = gateway.log.begin(request);
	try {
		const result = await handleGatewayRequest(gateway, request, recorded);
		if (result.response === 'cut') {
			gateway.log.end(recorded, 'cut');
			request.socket.destroy();
			return;
		}
		// The log records the response before it is sent, so that a client that has it finds it in the log.
		if (response.destroyed) gateway.log.end(recorded, 'left');
		else gateway.log.end(recorded, 'answered', result.response);
		send(request, response, result.response, result.clock);
	} catch (error) {
		if (error instanceof ClientDisconnected || gateway.closing.aborted) {
			gateway.log.end(recorded, 'left');
		} else gateway.log.end(recorded, 'answered', internalError);
		throw error;
	}
}

/** Sends responses of the controls, the phone page and the model. The request log does not record them. */
async function sendSandboxResponse(
	gateway: Gateway,
	request: IncomingMessage,
	response: ServerResponse,
	handle: () => Promise<HttpResponse | undefined>,
): Promise<void> {
	const result = await handle().catch((error: unknown) => {
		if (error instanceof HttpError) return error.toResponse();
		throw error;
	});
	if (result) send(request, response, result, gateway.now());
}

function send(
	request: IncomingMessage,
	response: ServerResponse,
	{ status, headers, body }: HttpResponse,
	clock: number,
): void {
	if (response.destroyed) return;
	response.statusCode = status;
	response.setHeader('Date', new Date(clock).toUTCString());
	for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
	if (status === 204 || status === 304) {
		// Responses with these statuses never have a body, so no header may describe one.
		response.removeHeader('Content-Type');
		response.end();
		return;
	}
	response.setHeader('Content-Length', body.length);
	if (request.complete) {
		response.end(body);
		return;
	}
	// The sandbox reads and discards the rest of the request. If the connection closed while the client is still writing, the
	// client would never receive the response.
	response.write(body);
	finished(request, () => response.end());
	request.resume();
}

function handleUnexpectedError(
	gateway: Gateway,
	request: IncomingMessage,
	response: ServerResponse,
	error: unknown,
): void {
	if (error instanceof ClientDisconnected || gateway.closing.aborted) {
		request.socket.destroy();
		return;
	}
	console.error('Internal error in the sandbox:', error);
	send(request, response, internalError, gateway.now());
}

const internalError = jsonResponse(500, {
	error: 'internal_error',
	message: 'Internal error in the sandbox. See its terminal output.',
});

/** Writes the response to the socket, because Node.js emits no request for invalid HTTP. */
function respondToInvalidHttp(error: NodeJS.ErrnoException, socket: Duplex): void {
	if (error.code === 'ECONNRESET' || !socket.writable) {
		socket.destroy();
		return;
	}
	const status =
		error.code === 'HPE_HEADER_OVERFLOW'
			? '431 Request Header Fields Too Large'
			: '400 Bad Request';
	const body = JSON.stringify({
		error: 'bad_request',
		message: 'This is not a valid HTTP request.',
	});
	socket.end(
		`HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
	);
}
