import { percentDecoded } from '../decoding';

export type Method = 'GET' | 'POST' | 'DELETE';

/** Whether requests to an endpoint need a signature, as the table in docs/gateway-api.md says it. */
export type Signed = 'yes' | 'no' | 'not stated';

export interface Endpoint {
	method: Method;
	path: string;
	signed: Signed;
}

const API_PATH = '/api/whatsapp/';

export const TOKEN_PLACEHOLDER = '{token}';
const DELIVERY_KEY_PLACEHOLDER = '{deliveryKey}';

const endpoint = (method: Method, path: string, signed: Signed): Endpoint => ({
	method,
	path: `${API_PATH}${TOKEN_PLACEHOLDER}${path}`,
	signed,
});

export const endpoints = {
	ping: endpoint('GET', '/ping', 'no'),
	start: endpoint('POST', '/start', 'no'),
	status: endpoint('GET', '/status', 'no'),
	qr: endpoint('GET', '/qr', 'no'),
	qrImage: endpoint('GET', '/qr/image', 'no'),
	refresh: endpoint('POST', '/refresh', 'no'),
	terminate: endpoint('POST', '/terminate', 'no'),
	sendMessage: endpoint('POST', '/sendMessage', 'yes'),
	sendMedia: endpoint('POST', '/sendMedia', 'yes'),
	inviteInfo: endpoint('POST', '/invite-info', 'yes'),
	channelInfo: endpoint('POST', '/channel-info', 'yes'),
	listDeferred: endpoint('GET', '/deferred', 'not stated'),
	getDeferred: endpoint('GET', `/deferred/${DELIVERY_KEY_PLACEHOLDER}`, 'not stated'),
	deleteDeferred: endpoint('DELETE', `/deferred/${DELIVERY_KEY_PLACEHOLDER}`, 'not stated'),
} as const satisfies Record<string, Endpoint>;

const pattern = ({ path }: Endpoint) => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`);

const routes = Object.values(endpoints).map((known) => ({ ...known, pattern: pattern(known) }));

export const endpointOf = (method: string, pathBelowBaseUrl: string): Endpoint | undefined =>
	routes.find((known) => known.method === method && known.pattern.test(pathBelowBaseUrl));

/** Returns whether a request needs a signature. Unknown requests get one: an extra signature does no harm, a missing one is rejected. */
export const signatureRule = (method: string, pathBelowBaseUrl: string): Signed =>
	endpointOf(method, pathBelowBaseUrl)?.signed ?? 'yes';

export const isMessage = ({ path }: Endpoint) =>
	path === endpoints.sendMessage.path || path === endpoints.sendMedia.path;

export function tokenIn(pathBelowBaseUrl: string): string | undefined {
	const segment = /^\/api\/whatsapp\/([^/]+)/.exec(pathBelowBaseUrl)?.[1];
	return segment === undefined ? undefined : percentDecoded(segment);
}

export const deliveryPath = (path: string, deliveryKey: string): string =>
	path.replace(DELIVERY_KEY_PLACEHOLDER, () => encodeURIComponent(deliveryKey));
