import { gatewayError } from './find';
import { notSentCauseOf, TIMEOUT } from '../wire/connectionError';
import { type GatewayResponse, MAX_PAGE_START } from '../wire/response';
import { LIMIT_RESETS } from '../wire/retryAfter';

export { RESPONSE_TOO_LARGE, TIMEOUT } from '../wire/connectionError';

/** Says what happened (`message`) and what to do (`description`). */
export interface ErrorText {
	message: string;
	description: string;
	/** The name of the text's row in the error catalog. Workflows branch on it. */
	cause?: string;
}

/** The rule that decided what a response means (docs/gateway-api.md). */
export type Rule =
	'http' | 'declared' | 'denial' | 'contradiction' | 'unknownWord' | 'noEvidence' | 'webPage';

interface Decided {
	response: GatewayResponse;
	rule: Rule;
	/** The field that decided, and its value, in a form to quote. */
	because?: { field: string; value: string };
	/** The line of 'Meaning of Responses' that would make the response a success. */
	line?: string;
}

/** Why a request did not give what the operation needs. */
export type RequestFailure =
	/** The response says no: by its status, or with a 200 by its content. `receivedAt` is by the wall clock. */
	| (Decided & { kind: 'rejected'; receivedAt: number; notFound?: ErrorText })
	/** The response neither confirms nor denies success. */
	| (Decided & { kind: 'unclear' })
	/** The gateway got nothing. `reason` says more than the cause: until when a pause lasts, or why n8n blocked the request. */
	| { kind: 'notSent'; cause: NotSentCause; reason?: string }
	/** After a timeout, a reset or an unreadable response, the gateway may have processed the request. */
	| { kind: 'noResponse'; code: string }
	/** The gateway accepted the request, but its response, or the session, is not what the operation needs. */
	| { kind: 'notUsable'; text: ErrorText }
	/** There was no request, because the input or the setup of the node is invalid, or could not be read or loaded. */
	| { kind: 'invalidInput'; error: Error; isInSetup?: boolean };

/** The result of a request, or of all requests for an item. */
export type Result<Value> = { value: Value } | Failed;

export interface Failed {
	failure: RequestFailure;
	/** How many attempts the node made. */
	attempts?: number;
	/** Whether the gateway may have processed one of the attempts. */
	isUncertain?: boolean;
	/** How many parts of a split message were sent before this one. */
	parts?: { sent: number; of: number };
	/** What the credential made of the message, which its recipient was not to get. */
	test?: 'Rehearsal' | 'Test number';
	/** Whether polling again may help. By default, the retry policy decides. */
	isTemporary?: boolean;
}

/** Returns the failure of a response, or of a state of the session, that the operation cannot use. */
export const notUsable = (text: ErrorText, isTemporary?: boolean): Failed => ({
	failure: { kind: 'notUsable', text },
	isTemporary,
});

/** `blocked`: by n8n's own settings. `paused`: by the scheduler of the account. `late`: the run had no time left. */
type OwnCause = 'noConnection' | 'blocked' | 'paused' | 'late';
type ProxyCause = 'proxyUnreachable' | 'proxyClosed' | 'proxySignIn';
export type NotSentCause = NonNullable<ReturnType<typeof notSentCauseOf>> | OwnCause | ProxyCause;

/**
 * Returns the failure for an error code. Takes only the code, because the error itself contains the URL, and with it the token.
 * `isConnecting` means that the error occurred before a connection was established.
 */
export function connectionFailure(code: string, isConnecting = false): RequestFailure {
	const cause = notSentCauseOf(code) ?? (isConnecting ? 'noConnection' : undefined);
	return cause ? { kind: 'notSent', cause } : { kind: 'noResponse', code };
}

const KEPT_HEADERS = ['content-type', 'date', 'location', 'retry-after', ...LIMIT_RESETS];
/** A larger response is shortened. In memory, an empty object takes twenty times its text. */
const MAX_KEPT_BYTES = 4_096;
const MAX_KEPT_TEXT = 1_000;

/** Returns a response without its bytes and most of its content, because failures stay in memory until the run ends. */
function withoutBulk({ headers, bytes, data, ...others }: GatewayResponse): GatewayResponse {
	const kept = Object.entries(headers).filter(([name]) => KEPT_HEADERS.includes(name));
	return {
		...others,
		headers: Object.fromEntries(kept),
		bytes: Buffer.alloc(0),
		data: bytes.length <= MAX_KEPT_BYTES ? data : shortenedData(data),
	};
}

function shortenedData(data: unknown): unknown {
	if (typeof data === 'string') return copiedStart(data, MAX_PAGE_START);
	const { code = '', message = '' } = gatewayError(data);
	return { error: copiedStart(code, MAX_KEPT_TEXT), message: copiedStart(message, MAX_KEPT_TEXT) };
}

/** Copies the start of a text, because a slice would keep the whole text in memory. */
const copiedStart = (text: string, length: number) => Buffer.from(text.slice(0, length)).toString();

export const rejection = (
	response: GatewayResponse,
	rule: Rule = 'http',
	because?: Decided['because'],
): RequestFailure =>
	// Only proxies send a 407, and they do not forward the request then.
	response.status === 407
		? { kind: 'notSent', cause: 'proxySignIn' }
		: { kind: 'rejected', response: withoutBulk(response), receivedAt: Date.now(), rule, because };

export const unclear = (
	response: GatewayResponse,
	rule: Rule,
	because?: Decided['because'],
	line?: string,
): RequestFailure => ({ kind: 'unclear', response: withoutBulk(response), rule, because, line });

export const isTimeout = (failure: RequestFailure) =>
	failure.kind === 'noResponse' && failure.code === TIMEOUT;
