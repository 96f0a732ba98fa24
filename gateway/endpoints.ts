export type Method = 'GET' | 'POST' | 'DELETE';

/** `optional`: the API document does not say whether the gateway wants a signature there. */
export type Signing = 'always' | 'never' | 'optional';

export interface Endpoint {
	method: Method;
	path: string;
	signing: Signing;
}

const API_PATH = '/api/whatsapp/';

/** Stands for the account's token wherever a URL is written down. */
export const TOKEN_PLACEHOLDER = '{token}';
export const DELIVERY_KEY_PLACEHOLDER = '{deliveryKey}';

const endpoint = (method: Method, path: string, signing: Signing): Endpoint => ({
	method,
	path: `${API_PATH}${TOKEN_PLACEHOLDER}${path}`,
	signing,
});

export const endpoints = {
	ping: endpoint('GET', '/ping', 'never'),
	start: endpoint('POST', '/start', 'never'),
	status: endpoint('GET', '/status', 'never'),
	qr: endpoint('GET', '/qr', 'never'),
	qrImage: endpoint('GET', '/qr/image', 'never'),
	refresh: endpoint('POST', '/refresh', 'never'),
	terminate: endpoint('POST', '/terminate', 'never'),
	sendMessage: endpoint('POST', '/sendMessage', 'always'),
	sendMedia: endpoint('POST', '/sendMedia', 'always'),
	inviteInfo: endpoint('POST', '/invite-info', 'always'),
	channelInfo: endpoint('POST', '/channel-info', 'always'),
	listDeferred: endpoint('GET', '/deferred', 'optional'),
	getDeferred: endpoint('GET', `/deferred/${DELIVERY_KEY_PLACEHOLDER}`, 'optional'),
	deleteDeferred: endpoint('DELETE', `/deferred/${DELIVERY_KEY_PLACEHOLDER}`, 'optional'),
} as const satisfies Record<string, Endpoint>;

const pattern = ({ path }: Endpoint) => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`);

const routes = Object.values(endpoints).map((known) => ({ ...known, pattern: pattern(known) }));

/** A call that is not in the table gets a signature: too many do no harm, one too few is refused. */
export function signingOf(method: string, pathBelowBaseUrl: string): Signing {
	const route = routes.find(
		(known) => known.method === method && known.pattern.test(pathBelowBaseUrl),
	);
	return route?.signing ?? 'always';
}

/** The token as it stands in a path below the base URL; undefined where the path names none. */
export function tokenIn(pathBelowBaseUrl: string): string | undefined {
	const segment = /^\/api\/whatsapp\/([^/]+)/.exec(pathBelowBaseUrl)?.[1];
	if (segment === undefined) return undefined;
	try {
		return decodeURIComponent(segment);
	} catch {
		return segment;
	}
}

export function deliveryPath(path: string, deliveryKey: string): string {
	return path.replace(DELIVERY_KEY_PLACEHOLDER, () => encodeURIComponent(deliveryKey));
}
