import { isObject, plainName } from '../json';
import { type GatewayResponse, isWebPage, MAX_PAGE_START } from '../wire/response';
import type { ClockDoubt } from '../wire/signingClock';
import { CODES, isDocumentedCode } from './dialect';
import { errorCode, gatewayError } from './find';
import type { Cause, Decided, RequestFailure, Rule } from './failure';
import { isOffline, sessionIn } from './sessionStatus';

/** Returns the failure of an error response, or of one that denies success. */
export function failureInResponse(
	response: GatewayResponse,
	rule: Rule = 'http',
	because?: Decided['because'],
): RequestFailure {
	// Only proxies send a 407, and they do not forward the request then.
	if (response.status === 407) return { kind: 'notSent', cause: 'proxySignIn' };
	const cause = rule === 'declared' ? 'denied' : causeOf(response);
	const decided = { cause, rule, because, response: withoutBulk(response) };
	return { kind: 'rejected', ...decided, receivedAt: Date.now() };
}

/** Returns the failure of a response that neither confirms nor denies success. */
export function unclear(
	response: GatewayResponse,
	rule: Rule,
	because?: Decided['because'],
	line?: string,
): RequestFailure {
	const cause = rule === 'webPage' ? rule : 'unclear';
	return { kind: 'unclear', cause, rule, because, line, response: withoutBulk(response) };
}

const KEPT_HEADERS = ['content-type', 'date', 'location', 'retry-after'];
/** A larger response is shortened. In memory, an empty object takes twenty times its text. */
const MAX_KEPT_BYTES = 4_096;
const MAX_KEPT_TEXT = 1_000;

/** Returns a response without its bytes and most of its content, because failures stay in memory until the run ends. */
function withoutBulk(response: GatewayResponse): GatewayResponse {
	const headers = Object.fromEntries(
		Object.entries(response.headers).filter(([name]) => KEPT_HEADERS.includes(name)),
	);
	const data = response.bytes.length > MAX_KEPT_BYTES ? shortenedData(response) : response.data;
	return { ...response, headers, bytes: Buffer.alloc(0), data };
}

function shortenedData(response: GatewayResponse): unknown {
	const { data } = response;
	if (typeof data === 'string') return copiedStart(data, MAX_PAGE_START);
	const { code, message } = gatewayError(data);
	const [error, text] = [code, message].map((said) => copiedStart(said, MAX_KEPT_TEXT));
	return { error, message: text, status: sessionIn(response).status };
}

/** Copies the start of a text, because a slice would keep the whole text in memory. */
const copiedStart = (text: string, length: number) => Buffer.from(text.slice(0, length)).toString();

const BY_STATUS: Record<number, Cause> = {
	...{ 301: 'redirect', 302: 'redirect', 303: 'redirect', 307: 'redirect', 308: 'redirect' },
	...{ 400: 'bad_request', 401: 'unauthorized', 402: 'insufficient_balance', 403: 'forbidden' },
	...{ 404: 'not_found', 405: 'not_supported', 408: 'request_timeout', 409: 'conflict' },
	...{ 413: 'message_too_large', 422: 'unprocessable', 429: 'rate_limit_exceeded' },
};

/** What the response names comes before its status: a 503 that says that the session is offline has sent nothing. */
function causeOf(response: GatewayResponse): Cause {
	const { status } = response;
	const code = errorCode(response);
	if (isDocumentedCode(code)) return code as Cause;
	if (isOffline(response)) return 'offline';
	if (isClosed(response, code)) return 'unavailable';
	if (status >= 200 && status < 300) return isWebPage(response) ? 'webPage' : 'denied';
	return BY_STATUS[status] ?? (status >= 500 ? 'serverError' : 'rejected');
}

/** Only with Retry-After: without it, a 503 may be from a proxy that lost the connection to a gateway that had the request. */
const isClosed = ({ status, headers, data }: GatewayResponse, code: string) =>
	status === 503 &&
	'retry-after' in headers &&
	isObject(data) &&
	['', ...CODES.closed].includes(plainName(code));

/** Whether the time of the signature may be the reason for a rejection: its code says so, or names no other documented reason. */
export function clockDoubt(response: GatewayResponse): ClockDoubt {
	const cause = response.status === 401 ? causeOf(response) : undefined;
	if (cause === 'signature_expired') return 'certain';
	return cause === 'unauthorized' || cause === 'invalid_signature' ? 'possible' : undefined;
}
