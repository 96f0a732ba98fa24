import type { RecordedRequest } from '../requestLog';

/** A request as the page shows it: without headers, body, query and secrets. */
export interface RequestLine {
	id: string;
	at: string;
	method: string;
	path: string;
	outcome: RecordedRequest['outcome'];
	status: number | null;
	reason: string | null;
}

const MASK = '•••';
const MAX_PATH = 200;
const MAX_REASON = 500;

/** Tokens are at least this long. Words in the paths of gateways are shorter. */
const MIN_TOKEN = 20;

export function requestLine(
	number: number,
	{ receivedAt, method, url, outcome, status, reason }: RecordedRequest,
	secrets: string[],
): RequestLine {
	return {
		id: String(number),
		at: receivedAt,
		method,
		path: maskedPath(url, secrets).slice(0, MAX_PATH),
		outcome,
		status,
		reason: reason && withoutSecrets(reason, secrets).slice(0, MAX_REASON),
	};
}

/** Also masks the token of another gateway, which a wrong path can contain anywhere. */
function maskedPath(url: string, secrets: string[]): string {
	const [path = '', query] = url.replace(/^[a-z]+:\/\/[^/]*/i, '').split('?');
	const segments = path.split('/');
	const masked = segments.map((segment, index) => {
		const isToken = segments[index - 1]?.toLowerCase() === 'whatsapp' && segment !== '';
		const decoded = decode(segment);
		const isSecret = isToken || decoded.length >= MIN_TOKEN;
		return isSecret || withoutSecrets(decoded, secrets) !== decoded ? MASK : segment;
	});
	return masked.join('/') + (query === undefined ? '' : `?${MASK}`);
}

function withoutSecrets(text: string, secrets: string[]): string {
	return secrets.reduce((masked, secret) => masked.replaceAll(secret, MASK), text);
}

function decode(segment: string): string {
	try {
		return decodeURIComponent(segment);
	} catch {
		return segment;
	}
}
