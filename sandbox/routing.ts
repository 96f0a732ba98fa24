import { Refusal } from './answer';
import { endpoints, type Endpoint } from './endpoints';

export interface Route {
	endpoint: Endpoint;
	/** Undefined when the segment is not valid percent-encoding: then it cannot be anyone's token. */
	token: string | undefined;
	deliveryKey: string;
}

export function pathOf(url: string): string {
	return url.split('?', 1)[0] ?? '';
}

export function findRoute(method: string, url: string, basePath: string): Route {
	const path = pathOf(url);
	const root = `${basePath}/api/whatsapp/`;
	if (!path.startsWith(root)) throw notFound(path, root);

	// Split before decoding, so that a %2F inside a token stays inside the token.
	const [token = '', ...tail] = path.slice(root.length).split('/');
	const candidates = endpoints.filter((endpoint) => leadsTo(endpoint, tail));
	if (candidates.length === 0) throw notFound(path, root);

	const endpoint = candidates.find((candidate) => candidate.method === method);
	if (!endpoint) {
		const allowed = candidates.map((candidate) => candidate.method).join(', ');
		throw new Refusal(405, 'method_not_allowed', `This path takes ${allowed}, not ${method}.`, {
			Allow: allowed,
		});
	}
	return {
		endpoint,
		token: decoded(token),
		deliveryKey: decoded(tail[1] ?? '') ?? '',
	};
}

function leadsTo(endpoint: Endpoint, tail: string[]): boolean {
	const pattern = endpoint.path.split('/');
	if (pattern.length !== tail.length) return false;
	return pattern.every((part, i) => (part === '{deliveryKey}' ? tail[i] !== '' : part === tail[i]));
}

function decoded(segment: string): string | undefined {
	try {
		return decodeURIComponent(segment);
	} catch {
		return undefined;
	}
}

function notFound(path: string, root: string): Refusal {
	const hint = path.startsWith(root) ? '' : ` Endpoints live under ${root}{token}/.`;
	return new Refusal(404, 'not_found', `There is no such endpoint.${hint}`);
}
