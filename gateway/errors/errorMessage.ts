import { clockSkewMs, TOLERATED_SKEW_MS, MAX_CORRECTION_MS, mayBeClockSkew } from './signingClock';
import { errorText, FILE_ROWS, GATEWAY_ROWS } from './errorCatalog';
import { namedCause, retryPolicy } from './retryPolicy';
import { errorCode, gatewayError, isDocumentedCode } from '../replies/dialect';
import {
	type ErrorText,
	type Failed,
	type NotSentCause,
	notUsable,
	type RequestFailure,
	TIMEOUT,
} from '../replies/failure';
import { saysOffline } from '../replies/sessionStatus';
import { shownUrl } from '../files/downloadedFile';
import { InvalidInput } from '../invalidInput';
import { isObject } from '../json';
import { shownText } from '../text/shownText';
import { type GatewayResponse, isWebPage } from '../wire/response';

type GatewayCause = keyof typeof GATEWAY_ROWS;
type FileCause = keyof typeof FILE_ROWS;
type Rejection = Extract<RequestFailure, { kind: 'rejected' }>;
type Unclear = Extract<RequestFailure, { kind: 'unclear' }>;

const TOO_DEEP: ErrorText = {
	message: 'A field contains a circular reference, or is nested too deeply',
	description: 'Let the expressions select the parts that you need instead of a whole object.',
	cause: 'invalid_input',
};

const STACK_OVERFLOW = /^Maximum call stack size exceeded/;
/** Matches the names of JavaScript's own errors, which are never about a value that the user entered. `instanceof` fails for those of another realm. */
const BUILT_IN = /^(Eval|Range|Reference|Syntax|Type|URI)Error$/;

export const isBug = ({ name, message }: Error) =>
	BUILT_IN.test(name) && !STACK_OVERFLOW.test(message);

export const bug = (error: Error): Failed =>
	notUsable({
		message: `The node stopped unexpectedly: ${String(error)}`,
		description:
			'This is a bug in the node. Report it to its authors with this message and the values of the fields, but without token and secret. Check whether the gateway processed the request before you repeat it.',
		cause: 'bug',
	});

const ITEM_SUFFIX = / \[item \d+\]$/;

/** What to tell the user. It can quote the gateway. */
export function errorMessage(failure: RequestFailure, isInDialog = false): ErrorText {
	const { message, description, ...named } = textOf(failure, isInDialog);
	return { ...named, message: shownText(message), description: shownText(description) };
}

function textOf(failure: RequestFailure, isInDialog: boolean): ErrorText {
	switch (failure.kind) {
		case 'rejected':
			return rejectionMessage(failure, isInDialog);
		case 'unclear':
			return unclearMessage(failure, isInDialog);
		case 'notSent':
			return notSentText(failure.cause, failure.reason, isInDialog);
		case 'noResponse':
			return errorText(GATEWAY_ROWS, noResponseCause(failure.code), isInDialog);
		case 'notUsable':
			return failure.text;
		case 'invalidInput': {
			const error = failure.error as Error & Partial<InvalidInput>;
			const { message, description = '', temporary, causeName } = error;
			// n8n itself overflows the stack on such a value.
			if (STACK_OVERFLOW.test(message)) return TOO_DEEP;
			const usual = failure.isInSetup ? 'invalid_setup' : 'invalid_input';
			return {
				message: message.replace(ITEM_SUFFIX, ''),
				description,
				cause: causeName ?? (temporary && !failure.isInSetup ? 'file_unavailable' : usual),
			};
		}
	}
}

/** Sending the message again does not help: it, or the credential, has to change, or it has arrived. */
const NEVER_REPEATED = [
	...['invalid_input', 'validation_error', 'invalid_json', 'invalid_amount_format'],
	...['message_too_large', 'already_exists', 'no_delivery'],
	...['recipient_not_allowed', 'request_not_allowed', 'rehearsal'],
];

/** What workflows branch on: the cause, and whether sending it again helps (docs/sending.md, Failed items). */
export function failureDetails({ failure, isUncertain, parts, isTemporary }: Failed) {
	const { cause = 'unknown' } = errorMessage(failure);
	if (isUncertain || parts?.sent || cause === 'bug') return { cause, retry: 'check' };
	if (isTemporary ?? retryPolicy(failure).isTemporary) return { cause, retry: 'safe' };
	return { cause, retry: NEVER_REPEATED.includes(cause) ? 'never' : 'later' };
}

/** `notFound` is what a 404 with JSON means to the operation. A 404 without JSON is not from the gateway. */
function rejectionMessage(
	{ response, receivedAt, notFound }: Rejection,
	isInDialog: boolean,
): ErrorText {
	const { status, headers, data } = response;
	const { code: label, message: detail } = gatewayError(data);
	const code = errorCode(response);
	const isPage = status >= 200 && status < 300 && isWebPage(response);
	const named = isPage ? 'webPage' : (namedCause(response) as GatewayCause | undefined);
	const ofStatus =
		status === 404 && isObject(data) && notFound ? notFound : statusText(status, isInDialog);
	const { message, description, cause } = named
		? errorText(GATEWAY_ROWS, named, isInDialog)
		: ofStatus;
	const isQuoted = isQuotable(code, status);
	const remarks = [
		clockRemark(response, receivedAt),
		description,
		headers.location && `It redirects to ${headers.location.split('?')[0]}.`,
		headers['retry-after'] && `It asks to wait: Retry-After ${headers['retry-after']}.`,
		label && !isQuoted && `Its code is ${label.slice(0, 100)}.`,
		detail && sentence(`The gateway says: ${detail.slice(0, 500)}`),
		!isObject(data) &&
			// Where the status means success, the content was read.
			(status >= 300 || typeof data === 'string') &&
			!isPage &&
			`The response (status ${status}) was not JSON, so it may not be from the gateway.`,
	];
	return {
		cause,
		message: `${message} (${isQuoted ? `${status}, ${label}` : status})`,
		description: remarks.filter(Boolean).join(' '),
	};
}

function unclearMessage({ response, said }: Unclear, isInDialog: boolean): ErrorText {
	const { message, description } = errorText(GATEWAY_ROWS, 'unclear', isInDialog);
	const quoted = said && sentence(`The gateway says: ${said}`);
	return {
		message: `${message} (${response.status})`,
		description: [description, quoted].filter(Boolean).join(' '),
	};
}

const sentence = (text: string) => (/[.!?…]$/.test(text) ? text : `${text}.`);

/** Codes about the token, the signature or the access of the account. */
export const isCredentialCode = (code: string) =>
	/signature|token|unauthorized|auth_headers|ip_not_allowed|no_api_access/.test(code);

/** Whether to quote a code in a message. n8n replaces messages that contain a code like ECONNRESET. */
function isQuotable(code: string, status: number): boolean {
	if (isDocumentedCode(code)) return true;
	const isFamiliar = saysOffline(code) || (status === 429 && code.includes('limit'));
	return isFamiliar && /^\w{1,40}$/.test(code);
}

const CAUSE_OF_STATUS: Record<number, GatewayCause> = {
	...{ 301: 'redirect', 302: 'redirect', 303: 'redirect', 307: 'redirect', 308: 'redirect' },
	...{ 400: 'bad_request', 401: 'unauthorized', 402: 'insufficient_balance', 403: 'forbidden' },
	...{ 404: 'not_found', 405: 'not_supported', 408: 'request_timeout', 409: 'conflict' },
	...{ 413: 'message_too_large', 422: 'unprocessable', 429: 'rate_limit_exceeded' },
};

function statusText(status: number, isInDialog: boolean): ErrorText {
	const of = (cause: GatewayCause) => errorText(GATEWAY_ROWS, cause, isInDialog);
	const known = CAUSE_OF_STATUS[status];
	if (known) return of(known);
	if (status >= 500) return of('serverError');
	if (status >= 200 && status < 300) return of('denied');
	const text = of('unknown');
	return { ...text, description: `${text.description} ${status}.` };
}

/** Only for rejections that the clock may have caused. */
function clockRemark(response: GatewayResponse, receivedAt: number): string | undefined {
	if (!mayBeClockSkew(response)) return undefined;
	const skew = clockSkewMs(response, receivedAt);
	if (skew === undefined || Math.abs(skew) <= TOLERATED_SKEW_MS) return undefined;
	const seconds = Math.round(Math.abs(skew) / 1000);
	const limit =
		Math.abs(skew) > MAX_CORRECTION_MS ? ' The node corrects no more than 24 hours.' : '';
	return `The clock of this n8n is ${seconds} s ${skew > 0 ? 'ahead of' : 'behind'} the gateway's: set it first (NTP), because the signature contains the time.${limit}`;
}

/** `reason`: n8n's reason for a block, or the end of a pause. */
function notSentText(cause: NotSentCause, reason?: string, isInDialog?: boolean): ErrorText {
	const { message, description, ...named } = errorText(GATEWAY_ROWS, cause, isInDialog);
	const isPause = cause === 'paused';
	const parts = ['Nothing was sent.', description, reason && !isPause && `n8n says: ${reason}`];
	return {
		...named,
		message: reason && isPause ? `${message} until ${reason}` : message,
		description: parts.filter(Boolean).join(' '),
	};
}

const NO_RESPONSE_CAUSES: Array<[GatewayCause, RegExp]> = [
	['timeout', /^(TIMEOUT|ECONNABORTED|ETIMEDOUT|ESOCKETTIMEDOUT)$/],
	['unreachable', /^(EHOSTUNREACH|ENETUNREACH|ENETDOWN|EADDRNOTAVAIL)$/],
	['tooLarge', /^RESPONSE_TOO_LARGE$/],
	['canceled', /^ERR_CANCELED$/],
];

const noResponseCause = (code: string) =>
	NO_RESPONSE_CAUSES.find(([, codes]) => codes.test(code))?.[0] ?? 'disconnected';

/** By the status of the server, or the code of a failure. */
const FILE_CAUSES: Record<number | string, FileCause> = {
	401: 'signIn',
	403: 'signIn',
	404: 'notFound',
	410: 'notFound',
	429: 'rateLimit',
	[TIMEOUT]: 'timeout',
	ERR_FR_TOO_MANY_REDIRECTS: 'redirects',
};
const isFileCause = (cause: string): cause is FileCause => Object.hasOwn(FILE_ROWS, cause);

function fileText(failure: RequestFailure): ErrorText {
	if (failure.kind === 'rejected') {
		const { status } = failure.response;
		const cause = FILE_CAUSES[status] ?? (status >= 500 ? 'serverError' : 'rejected');
		const text = errorText(FILE_ROWS, cause);
		return { ...text, message: `${text.message} (status ${status})` };
	}
	if (failure.kind !== 'notSent') {
		const code = failure.kind === 'noResponse' ? failure.code : '';
		return errorText(FILE_ROWS, FILE_CAUSES[code] ?? 'disconnected');
	}
	const { cause, reason } = failure;
	// The others are about the proxy.
	if (!isFileCause(cause)) return notSentText(cause);
	const text = errorText(FILE_ROWS, cause);
	return reason ? { ...text, description: `n8n says: ${reason}` } : text;
}

/** Why a file could not be downloaded. Its server is not the gateway, so the texts differ; the retry policy does not. */
export function downloadError(url: URL, failure: RequestFailure): InvalidInput {
	const { message, description } = fileText(failure);
	const { isTemporary, requestedWaitMs } = retryPolicy(failure);
	return new InvalidInput(
		`The file at ${shownUrl(url)} (Media URL) could not be downloaded: ${message}`,
		description,
		isTemporary ? { requestedWaitMs } : undefined,
	);
}
