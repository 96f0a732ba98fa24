import { isClosedCode, isDocumentedCode, RATE_LIMIT } from '../responses/dialect';
import { errorCode } from '../responses/find';
import type { RequestFailure } from '../responses/failure';
import { isOffline } from '../responses/sessionStatus';
import { isObject } from '../json';
import { causeOfCode } from '../wire/connectionError';
import { type GatewayResponse, isWebPage } from '../wire/response';
import type { ClockDoubt } from '../wire/signingClock';
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
	"It is unknown whether the gateway processed the request: for a message, check whether it arrived before you send it again. With the option 'Idempotency Key' (Send Custom JSON: the field idempotencyKey), sending it again is safe.";

/** Names what happened and what to do. The dialog of the credential has no operations, options and messages. */
export function causeText(
	cause: Cause,
	isInDialog = false,
	isUnknown = repeatOf(cause) === 'withKey',
) {
	const { happened, whatToDo, inDialog = whatToDo }: Text = ROWS[cause];
	const description = isUnknown ? `${whatToDo} ${UNKNOWN}`.trim() : whatToDo;
	return {
		message: happened,
		description: isInDialog ? inDialog : description,
		cause: causeName(cause),
	};
}

export interface Text {
	happened: string;
	whatToDo: string;
	inDialog?: string;
}

/** The name of a cause for workflows, which branch on it. */
export const causeName = (cause: string) =>
	cause.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The cause of a failure that has no texts of its own. Everything else follows from its row in the table. */
export function causeOf(
	failure: Extract<RequestFailure, { kind: 'rejected' | 'unclear' | 'notSent' | 'noResponse' }>,
): Cause {
	switch (failure.kind) {
		case 'rejected':
			return failure.rule === 'declared' ? 'denied' : causeOfResponse(failure.response);
		case 'unclear':
			return failure.rule === 'webPage' ? 'webPage' : 'unclear';
		case 'notSent':
			return failure.cause;
		case 'noResponse':
			return causeOfCode(failure.code) ?? 'disconnected';
	}
}

const BY_STATUS: Record<number, Cause> = {
	...{ 301: 'redirect', 302: 'redirect', 303: 'redirect', 307: 'redirect', 308: 'redirect' },
	...{ 400: 'bad_request', 401: 'unauthorized', 402: 'insufficient_balance', 403: 'forbidden' },
	...{ 404: 'not_found', 405: 'not_supported', 408: 'request_timeout', 409: 'conflict' },
	...{ 413: 'message_too_large', 422: 'unprocessable', 429: RATE_LIMIT },
};

/** What the response names comes before its status: a 503 that says that the session is offline has sent nothing. */
function causeOfResponse(response: GatewayResponse): Cause {
	const { status } = response;
	const named = namedCause(response);
	if (named) return named;
	if (isClosed(response)) return 'unavailable';
	const isOk = status >= 200 && status < 300;
	if (isOk) return isWebPage(response) ? 'webPage' : 'denied';
	return BY_STATUS[status] ?? (status >= 500 ? 'serverError' : 'rejected');
}

/** Returns the cause that a response names by its code or the status of the session; undefined if only its HTTP status shows one. */
export function namedCause(response: GatewayResponse): Cause | undefined {
	const code = errorCode(response);
	if (isDocumentedCode(code)) return code as Cause;
	return isOffline(response) ? 'offline' : undefined;
}

/** Only with Retry-After: without it, a 503 may be from a proxy that lost the connection to a gateway that had the request. */
function isClosed({ status, headers, data }: GatewayResponse): boolean {
	const code = errorCode({ data });
	const isCode = code === '' || isClosedCode(code);
	return status === 503 && 'retry-after' in headers && isObject(data) && isCode;
}

const SIGNATURE_CODES = ['invalid_signature', 'unauthorized'];

/** Whether the time of the signature may be the reason for a rejection: its code says so, or names no other documented reason. */
export function clockDoubt(response: GatewayResponse): ClockDoubt {
	const code = errorCode(response);
	if (response.status !== 401) return undefined;
	if (code === 'signature_expired') return 'certain';
	return SIGNATURE_CODES.includes(code) || !isDocumentedCode(code) ? 'possible' : undefined;
}
