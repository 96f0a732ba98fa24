import { gatewayError } from './dialect';
import { type GatewayResponse, MAX_PAGE_START } from '../wire/response';

/** What happened, and what to do. */
export interface ErrorText {
	message: string;
	description: string;
	/** For workflows, which branch on it: the name of its row in the error catalog. */
	cause?: string;
}

/** Why a request did not give what the operation needs. */
export type RequestFailure =
	/** The gateway returned an error response, at this time of the wall clock. */
	| { kind: 'rejected'; response: GatewayResponse; receivedAt: number; notFound?: ErrorText }
	/** The content neither confirms nor denies success: in these words, if it has any. */
	| { kind: 'unclear'; response: GatewayResponse; said: string }
	/** Nothing left this machine, or no connection was established. `reason` is the part that only this failure has. */
	| { kind: 'notSent'; cause: NotSentCause; reason?: string }
	/** Timeout, reset or unreadable response: the gateway may have processed the request. */
	| { kind: 'noResponse'; code: string }
	/** The gateway accepted the request, but its response, or the session, is not what the operation needs. */
	| { kind: 'notUsable'; text: ErrorText }
	/** There was no request: the input, or the setup of the node, is invalid, or could not be read or loaded. */
	| { kind: 'invalidInput'; error: Error; isOfSetup?: boolean };

/** What a request came to, or everything that was done for an item. */
export type Result<Value> = { value: Value } | Failed;

export interface Failed {
	failure: RequestFailure;
	/** How often the node tried to send it. */
	attempts?: number;
	/** Whether the gateway may have processed one of the attempts. */
	isUncertain?: boolean;
	/** How many parts of a split message were sent before this one. */
	parts?: { sent: number; of: number };
	/** Whether polling again may help; by default, as the retry policy says. */
	isTemporary?: boolean;
}

/** A response, or a state of the session, that the operation cannot use. */
export const notUsable = (text: ErrorText, isTemporary?: boolean): Failed => ({
	failure: { kind: 'notUsable', text },
	isTemporary,
});

/** Not a system code. */
export const RESPONSE_TOO_LARGE = 'RESPONSE_TOO_LARGE';
export const TIMEOUT = 'ETIMEDOUT';

/** Why a request was not sent, by the codes of Node.js, OpenSSL and the DNS resolver. */
const NOT_SENT_CODES = {
	certificate:
		/^(?!ERR_SSL_).*(CERT|SELF_SIGNED|UNABLE_TO_|ALTNAME)|^(INVALID_CA|INVALID_PURPOSE|HOSTNAME_MISMATCH)$/,
	// Other codes, such as ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR, may come after the request.
	tls: /^EPROTO$|^ERR_(SSL|TLS)_.*(HANDSHAKE|VERSION|PROTOCOL|CIPHER|CERTIFICATE|UNKNOWN_CA|UNRECOGNIZED_NAME|KEY_TOO_SMALL|SECURITY|SIGNATURE|RENEGOTIATION)/,
	hostName: /^(ENOTFOUND|ENODATA|ENONAME|EBADNAME|EAI_NONAME|EAI_NODATA)$/,
	dns: /^(EAI_\w+|ESERVFAIL|EREFUSED|EFORMERR|ENOTIMP|EBADQUERY|EBADFAMILY|EBADRESP|ETIMEOUT)$/,
	refused: /^ECONNREFUSED$/,
};

export type NotSentCause =
	| keyof typeof NOT_SENT_CODES
	| 'noConnection'
	/** By n8n's own settings. */
	| 'blocked'
	/** The schedule of the account held the request back. */
	| 'paused'
	/** Its run had no more time. */
	| 'late'
	| 'proxyUnreachable'
	| 'proxyClosed'
	| 'proxySignIn';

const CAUSES = Object.keys(NOT_SENT_CODES) as Array<keyof typeof NOT_SENT_CODES>;

/**
 * Only the code of an error is kept: the error itself holds the URL, and with it the token. `isConnecting`: it
 * occurred before there was a connection.
 */
export function connectionFailure(code: string, isConnecting = false): RequestFailure {
	const known = CAUSES.find((cause) => NOT_SENT_CODES[cause].test(code));
	const cause = known ?? (isConnecting ? 'noConnection' : undefined);
	return cause ? { kind: 'notSent', cause } : { kind: 'noResponse', code };
}

/** Say when a limit ends: in seconds, or as seconds or milliseconds since the epoch. */
export const LIMIT_RESETS = ['x-ratelimit-retry-after', 'ratelimit-reset', 'x-ratelimit-reset'];
const KEPT_HEADERS = ['content-type', 'date', 'location', 'retry-after', ...LIMIT_RESETS];
/** No error response of a gateway is larger. */
const MAX_KEPT_BYTES = 16_384;
/** In memory, an empty object takes twenty times its text. */
const MAX_KEPT_VALUES = 500;
const MAX_KEPT_TEXT = 1_000;

/** Failures are kept until the run ends, so without the bytes and the bulk of a response. */
function withoutBulk({ status, headers, bytes, data }: GatewayResponse): GatewayResponse {
	const kept = Object.entries(headers).filter(([name]) => KEPT_HEADERS.includes(name));
	return {
		status,
		headers: Object.fromEntries(kept),
		bytes: Buffer.alloc(0),
		data: isSmall(bytes) ? data : shortenedData(data),
	};
}

const isSmall = (bytes: Buffer) =>
	bytes.length <= MAX_KEPT_BYTES &&
	bytes.toString('latin1').split(/[[{,]/, MAX_KEPT_VALUES).length < MAX_KEPT_VALUES;

function shortenedData(data: unknown): unknown {
	if (typeof data === 'string') return copiedStart(data, MAX_PAGE_START);
	const { code = '', message = '' } = gatewayError(data);
	return { error: copiedStart(code, MAX_KEPT_TEXT), message: copiedStart(message, MAX_KEPT_TEXT) };
}

/** A slice alone would keep the whole text in memory. */
const copiedStart = (text: string, length: number) => Buffer.from(text.slice(0, length)).toString();

export const rejection = (response: GatewayResponse): RequestFailure =>
	// Only proxies use this status, and they forward nothing then.
	response.status === 407
		? { kind: 'notSent', cause: 'proxySignIn' }
		: { kind: 'rejected', response: withoutBulk(response), receivedAt: Date.now() };

export const unclear = (response: GatewayResponse, said: string): RequestFailure => ({
	kind: 'unclear',
	response: withoutBulk(response),
	said,
});

export const isTimeout = (failure: RequestFailure) =>
	failure.kind === 'noResponse' && failure.code === TIMEOUT;
