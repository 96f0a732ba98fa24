import { pathOf } from '../http/path';
import { HttpError } from '../http/response';
import { type EndpointName, endpointNames, endpoints } from './endpoints';

export interface Route {
	endpoint: EndpointName;
	/** Undefined if the segment is not valid percent-encoding. It then matches no token. */
	token: string | undefined;
	deliveryKey: string;
}

export function findRoute(method: string, url: string, basePath: string): Route {
	const path = pathOf(url);
	const root = `${basePath}/api/whatsapp/`;
	if (!path.startsWith(root)) {
		throw notFound(`There is no such endpoint. Endpoints are below ${root}{token}/.`);
	}

	// The path is split before it is decoded, so that a %2F in the token is not a separator.
	const [token = '', ...segments] = path.slice(root.length).split('/');
	const candidates = endpointNames.filter((name) => matches(endpoints[name].path, segments));
	if (candidates.length === 0) throw notFound('There is no such endpoint.');

	const endpoint = candidates.find((name) => endpoints[name].method === method);
	if (!endpoint) {
		const allowed = candidates.map((name) => endpoints[name].method).join(', ');
		throw new HttpError(
			405,
			'method_not_allowed',
			`This endpoint does not support ${method}. Use ${allowed}.`,
			{ Allow: allowed },
		);
	}
	return {
		endpoint,
		token: decodeSegment(token),
		deliveryKey: decodeSegment(segments[1] ?? '') ?? '',
	};
}

function matches(endpointPath: string, segments: string[]): boolean {
	const pattern = endpointPath.slice(1).split('/');
	if (pattern.length !== segments.length) return false;
	return pattern.every((part, i) =>
		part === '{deliveryKey}' ? segments[i] !== '' : part === segments[i],
	);
}

function decodeSegment(segment: string): string | undefined {
	try {
		return decodeURIComponent(segment);
	} catch {
		return undefined;
	}
}

function notFound(message: string): HttpError {
	return new HttpError(404, 'not_found', message);
}
