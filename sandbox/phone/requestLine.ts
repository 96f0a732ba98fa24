import type { RecordedRequest } from '../api/requestLog';

/** A request as the page shows it: without headers, body, query and secrets. */
export interface RequestLine {
	id: string;
	at: string;
	method: string;
	path: string;
	outcome: RecordedRequest['outcome'];
	status: number | null;
	/** Whether it did what it was sent for. */
	isAccepted: boolean;
	reason: string | null;
}

const MASK = '•••';
const MAX_PATH = 200;
const MAX_REASON = 500;

/** Tokens are at least this long. Words in the paths of gateways are shorter. */
const MIN_TOKEN = 20;

export function requestLine(
	number: number,
	recorded: RecordedRequest,
	secrets: string[],
): RequestLine {
	const { receivedAt, method, url, outcome, status } = recorded;
	const isTest = isCredentialTest(recorded);
	const reason = isTest ? CREDENTIAL_TEST : (CLOSED[outcome] ?? recorded.reason);
	return {
		id: String(number),
		at: receivedAt,
		method,
		path: maskedPath(url, secrets).slice(0, MAX_PATH),
		outcome,
		status,
		isAccepted: isTest || (status !== null && status < 400),
		reason: reason && withoutSecrets(reason, secrets).slice(0, MAX_REASON),
	};
}

const CLOSED: Partial<Record<RecordedRequest['outcome'], string>> = {
	cut: 'The sandbox closed the connection without a response.',
	left: 'The client closed the connection before it got a response.',
};

const CREDENTIAL_TEST =
	"The test of n8n's credential, which looks up an empty invite code. Token and signature are right.";

/** Whether it was rejected for the empty code, as it should be, and not for its signature. */
const isCredentialTest = ({ endpoint, status, bodyText }: RecordedRequest) =>
	endpoint === 'inviteInfo' && status === 422 && bodyText === '{"inviteCode":""}';

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
