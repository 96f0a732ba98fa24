import { causeOfCode, notSentCauseOf, TIMEOUT } from '../wire/connectionError';
import type { GatewayResponse } from '../wire/response';
import type { Cause } from './causes';

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
	/** The response says no: by its status, or with a 200 by its content. `receivedAt` is by the wall clock. */
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
	/** Whether polling again may help. By default, the retry policy decides. */
	isTemporary?: boolean;
}

/** Returns the failure of a response, or of a state of the session, that the operation cannot use. */
export const notUsable = (text: ErrorText, isTemporary?: boolean): Failed => ({
	failure: { kind: 'notUsable', text },
	isTemporary,
});

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
