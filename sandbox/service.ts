import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

import { type Answer, answerJson, Refusal } from './answer';
import { ClientLeft } from './body';
import { control, type Controls, isControl } from './control';
import { type House, receive } from './door';
import { isPhone, phone, type Phone } from './phone/phone';

export function serve(server: Server, house: House, controls: Controls, parts: Phone): void {
	server.on('request', (request: IncomingMessage, response: ServerResponse) => {
		// A client that hangs up is no news: the log says so, and nothing else is to be done.
		request.on('error', () => {});
		response.on('error', () => {});
		serveOne(request, response).catch((error: unknown) => failed(house, request, response, error));
	});
	server.on('clientError', answerMalformed);

	async function serveOne(request: IncomingMessage, response: ServerResponse): Promise<void> {
		if (isPhone(request)) {
			return await serveOwn(house, response, async () => await phone(parts, request, response));
		}
		if (isControl(request.url ?? '')) {
			return await serveOwn(house, response, async () => await control(controls, request));
		}
		return await serveGateway(house, request, response);
	}
}

async function serveGateway(
	house: House,
	request: IncomingMessage,
	response: ServerResponse,
): Promise<void> {
	const recorded = house.log.begin(request);
	try {
		const { answer, clock } = await receive(house, request, recorded);
		if (answer === 'cut') {
			house.log.end(recorded, 'cut');
			request.socket.destroy();
			return;
		}
		// Recorded before it is sent: who has the answer must find it in the log.
		const left = response.destroyed;
		house.log.end(recorded, left ? 'left' : 'answered', left ? undefined : answer.status);
		send(response, answer, clock);
	} catch (error) {
		if (error instanceof ClientLeft || house.closing.aborted) house.log.end(recorded, 'left');
		else house.log.end(recorded, 'answered', 500);
		throw error;
	}
}

/** What a gateway does not have: controls and phone. Nothing of it is recorded. */
async function serveOwn(
	house: House,
	response: ServerResponse,
	act: () => Promise<Answer | undefined>,
): Promise<void> {
	const answer = await act().catch((error: unknown) => {
		if (error instanceof Refusal) return error.answer();
		throw error;
	});
	if (answer) send(response, answer, house.now());
}

function send(response: ServerResponse, { status, headers, body }: Answer, clock: number): void {
	if (response.destroyed) return;
	response.statusCode = status;
	response.setHeader('Date', new Date(clock).toUTCString());
	for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
	if (status === 204 || status === 304) {
		// Defined to have no body, so nothing may describe one.
		response.removeHeader('Content-Type');
		response.end();
		return;
	}
	response.setHeader('Content-Length', body.length).end(body);
}

function failed(
	house: House,
	request: IncomingMessage,
	response: ServerResponse,
	error: unknown,
): void {
	if (error instanceof ClientLeft || house.closing.aborted) {
		request.socket.destroy();
		return;
	}
	console.error('The sandbox failed at a request:', error);
	const answer = answerJson(500, {
		error: 'internal_error',
		message: 'The sandbox itself failed: see its terminal.',
	});
	send(response, answer, house.now());
}

/** What Node could not read as HTTP never becomes a request: it is answered on the bare socket. */
function answerMalformed(error: NodeJS.ErrnoException, socket: Duplex): void {
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
