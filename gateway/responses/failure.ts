import type { GatewayResponse } from '../wire/response';
import table from './causes.json';

/** The table of causes: what happened, what to do, and, by its four groups, whether to send the same request again. */
const ROWS = { ...table.safe, ...table.withKey, ...table.later, ...table.never };
export type Cause = keyof typeof ROWS;

/**
 * `safe`: the gateway processed nothing. `withKey`: it may have processed the request, so only an idempotency key makes a retry safe.
 * `later`: something else has to change first. `never`: the request itself has to change, or it has arrived.
 */
type Repeat = keyof typeof table;

export const repeatOf = (cause: Cause): Repeat =>
	(Object.keys(table) as Repeat[]).find((group) => Object.hasOwn(table[group], cause))!;

const UNKNOWN =
	"It is unknown whether the gateway processed the request: for a message, check whether it arrived before you send it again. A key protects only what was first sent with it: for the next time, add the option 'Idempotency Key' (Send Custom JSON: the field idempotencyKey). Retry keeps the keys of Automatic; a new execution does not.";

export interface Text {
	happened: string;
	whatToDo: string;
	inDialog?: string;
}

/** Says what happened and what to do. The dialog of the credential has no operations, options and messages. */
export function causeText(
	cause: Cause,
	isInDialog = false,
	isUnknown = repeatOf(cause) === 'withKey',
) {
	const { happened: message, whatToDo, inDialog = whatToDo }: Text = ROWS[cause];
	const inItem = isUnknown ? `${whatToDo} ${UNKNOWN}`.trim() : whatToDo;
	return { message, description: isInDialog ? inDialog : inItem, cause: causeName(cause) };
}

/** The name of a cause for workflows, which branch on it. */
export const causeName = (cause: string) =>
	cause.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

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

export interface Decided {
	/** Says, by its row in the table, what to do, and whether the same request may be sent again. */
	cause: Cause;
	response: GatewayResponse;
	rule: Rule;
	/** The field that decided, and its value, in a form to quote. */
	because?: { field: string; value: string };
	/** The line of 'Meaning of Responses' that would make the response a success. */
	line?: string;
}

/** Why a request did not give what the operation needs. */
export type RequestFailure =
	/** The response says no: by its status, or with a 200 by its content. The gateway may have processed a 5xx: see its cause. */
	| (Decided & { kind: 'rejected'; receivedAt: number; notFound?: ErrorText })
	/** The response neither confirms nor denies success. */
	| (Decided & { kind: 'unclear' })
	/** The gateway got nothing. `reason` says more than the cause: until when a pause lasts, or why n8n blocked the request. */
	| { kind: 'notSent'; cause: Cause; reason?: string }
	/** After a timeout, a reset or an unreadable response, the gateway may have processed the request. */
	| { kind: 'noResponse'; cause: Cause; code: string }
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
	/** Whether it is about the status of the session, which was read before anything was sent. */
	isBeforeSending?: boolean;
	/** Whether polling again may help. By default, the retry policy decides. */
	isTemporary?: boolean;
}

/** Returns the failure of a response, or of a state of the session, that the operation cannot use. */
export const notUsable = (text: ErrorText, isTemporary?: boolean): Failed => ({
	failure: { kind: 'notUsable', text },
	isTemporary,
});

/** Why a request got no response, by the error codes of Node.js, OpenSSL and the DNS resolver. Of the first five, nothing was sent. */
const CODES = {
	certificate:
		/^(?!ERR_SSL_).*(CERT|SELF_SIGNED|UNABLE_TO_|ALTNAME)|^(INVALID_CA|INVALID_PURPOSE|HOSTNAME_MISMATCH)$/,
	tls: /^EPROTO$/,
	hostName: /^(ENOTFOUND|ENODATA|ENONAME|EBADNAME|EAI_NONAME|EAI_NODATA)$/,
	dns: /^(EAI_\w+|ESERVFAIL|EREFUSED|EFORMERR|ENOTIMP|EBADQUERY|EBADFAMILY|EBADRESP|ETIMEOUT)$/,
	refused: /^ECONNREFUSED$/,
	timeout: /^(TIMEOUT|ECONNABORTED|ETIMEDOUT|ESOCKETTIMEDOUT)$/,
	unreachable: /^(EHOSTUNREACH|ENETUNREACH|ENETDOWN|EADDRNOTAVAIL)$/,
	tooLarge: /^RESPONSE_TOO_LARGE$/,
	canceled: /^ERR_CANCELED$/,
};
type ConnectionCause = keyof typeof CODES;
const CAUSES = Object.keys(CODES) as ConnectionCause[];
const NOT_SENT = ['certificate', 'tls', 'hostName', 'dns', 'refused'] as const;

/** A code of this package, not of the operating system. */
export const RESPONSE_TOO_LARGE = 'RESPONSE_TOO_LARGE';
export const TIMEOUT = 'ETIMEDOUT';

/** What the codes of a failed handshake name. Others, such as ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR, may occur after the request was sent. */
const HANDSHAKE = [
	...['HANDSHAKE', 'VERSION', 'PROTOCOL', 'CIPHER', 'CERTIFICATE', 'UNKNOWN_CA'],
	...['UNRECOGNIZED_NAME', 'KEY_TOO_SMALL', 'SECURITY', 'SIGNATURE', 'RENEGOTIATION'],
];
const isHandshake = (code: string) =>
	/^ERR_(SSL|TLS)_/.test(code) && HANDSHAKE.some((name) => code.includes(name));

const causeOfCode = (code: string): ConnectionCause | undefined =>
	CAUSES.find((cause) => CODES[cause].test(code)) ?? (isHandshake(code) ? 'tls' : undefined);

/** Returns why nothing was sent; undefined if the gateway may have the request. */
const notSentCauseOf = (code: string) => NOT_SENT.find((cause) => causeOfCode(code) === cause);

/**
 * Returns the failure for an error code. Takes only the code, because the error itself contains the URL, and with it the token.
 * `isConnecting` means that the error occurred before a connection was established.
 */
export function connectionFailure(code: string, isConnecting = false): RequestFailure {
	const notSent = notSentCauseOf(code) ?? (isConnecting ? 'noConnection' : undefined);
	if (notSent) return { kind: 'notSent', cause: notSent };
	return { kind: 'noResponse', cause: causeOfCode(code) ?? 'disconnected', code };
}

export const isTimeout = (failure: RequestFailure) =>
	failure.kind === 'noResponse' && failure.code === TIMEOUT;
