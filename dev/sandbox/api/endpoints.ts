import type { Account } from '../account/account';
import type { Message } from '../account/accountStore';
import { type QrCode, qrPng } from '../account/qrCode';
import type { RecentFiles } from '../account/recentFiles';
import { type Fields, optionalBoolean } from '../http/fields';
import { parseJsonObject } from '../http/requestBody';
import { type HttpResponse, jsonResponse } from '../http/response';
import { channelInfo, inviteInfo, readChannelCode, readInviteCode } from './invites';
import { parseSendMedia, parseSendMessage, type SendRequest } from './sendRequest';

/** A request with a valid token and, if the endpoint requires it, a valid signature. */
interface EndpointRequest {
	body: Buffer;
	contentType: string | undefined;
	deliveryKey: string;
	/** The handler calls it with a valid message, so that the request log has the recipient. */
	onMessage: (message: Message) => void;
}

/** The state that requests read and change. */
export interface GatewayState {
	account: Account;
	qrCode: QrCode;
	files: RecentFiles;
}

export type Action = () => HttpResponse | Promise<HttpResponse>;

/**
 * Validates a request and returns its action. The steps are separate so that a fault can replace
 * the action. A fault never replaces the rejection of an invalid request.
 */
type Handler = (request: EndpointRequest, state: GatewayState) => Action;

export interface Endpoint {
	method: 'GET' | 'POST' | 'DELETE';
	/** The path below /api/whatsapp/{token}. */
	path: string;
	/** What the API document says. For `not stated`, the sandbox's `signDeferred` option decides. */
	signed: 'yes' | 'no' | 'not stated';
	handler: Handler;
}

const endpoint = (
	method: Endpoint['method'],
	path: string,
	signed: Endpoint['signed'],
): Omit<Endpoint, 'handler'> => ({ method, path, signed });

export const endpoints = {
	ping: {
		...endpoint('GET', '/ping', 'no'),
		handler: () => () => jsonResponse(200, { success: true, message: 'pong' }),
	},
	start: {
		...endpoint('POST', '/start', 'no'),
		handler: (request, { account }) => {
			optionalBody(request);
			return () => {
				account.start();
				return sessionResponse(account);
			};
		},
	},
	status: {
		...endpoint('GET', '/status', 'no'),
		handler: (_, { account }) => {
			return () => jsonResponse(200, { status: account.status });
		},
	},
	qr: {
		...endpoint('GET', '/qr', 'no'),
		handler: (_, { account, qrCode }) => {
			return () => jsonResponse(200, { qr: qrCode.textFor(account.status) });
		},
	},
	qrImage: {
		...endpoint('GET', '/qr/image', 'no'),
		handler: (_, { account, qrCode }) => {
			return async () => ({
				status: 200,
				headers: { 'Content-Type': 'image/png', 'Cache-Control': 'no-store' },
				body: await qrPng(qrCode.textFor(account.status)),
			});
		},
	},
	refresh: {
		...endpoint('POST', '/refresh', 'no'),
		handler: (request, { account, qrCode }) => {
			const withDeletion = optionalBoolean(optionalBody(request), 'withDeletion');
			return () => {
				account.refresh(withDeletion);
				qrCode.renew();
				return sessionResponse(account);
			};
		},
	},
	terminate: {
		...endpoint('POST', '/terminate', 'no'),
		handler: (request, { account, qrCode }) => {
			const withDeletion = optionalBoolean(optionalBody(request), 'withDeletion');
			return () => {
				account.terminate(withDeletion);
				qrCode.renew();
				return sessionResponse(account);
			};
		},
	},
	sendMessage: {
		...endpoint('POST', '/sendMessage', 'yes'),
		handler: (request, state) => {
			return sending(parseSendMessage(requiredBody(request)), request, state);
		},
	},
	sendMedia: {
		...endpoint('POST', '/sendMedia', 'yes'),
		handler: (request, state) => {
			return sending(parseSendMedia(requiredBody(request)), request, state);
		},
	},
	inviteInfo: {
		...endpoint('POST', '/invite-info', 'yes'),
		handler: (request) => {
			const inviteCode = readInviteCode(requiredBody(request));
			return () => inviteInfo(inviteCode);
		},
	},
	channelInfo: {
		...endpoint('POST', '/channel-info', 'yes'),
		handler: (request) => {
			const inviteCode = readChannelCode(requiredBody(request));
			return () => channelInfo(inviteCode);
		},
	},
	listDeferred: {
		...endpoint('GET', '/deferred', 'not stated'),
		handler: (_, { account }) => {
			return () => jsonResponse(200, { deferred: account.listDeferred() });
		},
	},
	getDeferred: {
		...endpoint('GET', '/deferred/{deliveryKey}', 'not stated'),
		handler: ({ deliveryKey }, { account }) => {
			return () => jsonResponse(200, account.getDeferred(deliveryKey));
		},
	},
	deleteDeferred: {
		...endpoint('DELETE', '/deferred/{deliveryKey}', 'not stated'),
		handler: ({ deliveryKey }, { account }) => {
			return () => {
				account.deleteDeferred(deliveryKey);
				return jsonResponse(200, { deleted: true });
			};
		},
	},
} as const satisfies Record<string, Endpoint>;

export type EndpointName = keyof typeof endpoints;

export const endpointNames = Object.keys(endpoints) as EndpointName[];

export const messageEndpoints: readonly EndpointName[] = ['sendMessage', 'sendMedia'];

function sessionResponse(account: Account): HttpResponse {
	return jsonResponse(200, { success: true, status: account.status });
}

function sending(
	{ message, windowMs, fileBytes }: SendRequest,
	{ onMessage }: EndpointRequest,
	{ account, files }: GatewayState,
): Action {
	onMessage(message);
	return () => {
		const response = account.send(message, windowMs);
		if (message.media && fileBytes) files.add(message.media.sha256, fileBytes);
		return response;
	};
}

function requiredBody({ body, contentType }: EndpointRequest): Fields {
	return parseJsonObject(body, contentType);
}

/** Accepts an empty body, because the API document shows none for session endpoints. Rejects invalid JSON. */
function optionalBody(request: EndpointRequest): Fields {
	return request.body.length === 0 ? {} : requiredBody(request);
}
