import { causeOf, causeText, clockDoubt, namedCause, repeatOf } from './causes';
import { retryPolicy } from './retryPolicy';
import { errorCode, gatewayError, isDocumentedCode } from '../responses/dialect';
import {
	type Because,
	type ErrorText,
	type Failed,
	notUsable,
	type RequestFailure,
} from '../responses/failure';
import { saysOffline } from '../responses/sessionStatus';
import { MEANING_OF_RESPONSES } from '../responses/declared';
import type { InvalidInput } from '../inputValues';
import { isObject } from '../json';
import { shownText } from '../decoding';
import type { GatewayResponse } from '../wire/response';
import { clockSkewMs, TOLERATED_SKEW_MS, MAX_CORRECTION_MS } from '../wire/signingClock';

type Rejection = Extract<RequestFailure, { kind: 'rejected' }>;
type Unclear = Extract<RequestFailure, { kind: 'unclear' }>;
type NotSent = Extract<RequestFailure, { kind: 'notSent' }>;

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
			return notSentText(failure, isInDialog);
		case 'noResponse':
			return causeText(causeOf(failure), isInDialog);
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

/** Of the causes that are not in the table: the message, or the credential, has to change. */
const NEVER_REPEATED =
	/^(invalid_input|no_delivery|recipient_not_allowed|request_not_allowed|rehearsal)$/;

/** What workflows branch on: the cause, whether sending it again helps, and the field that decided (docs/sending.md, Failed items). */
export function failureDetails({ failure, isUncertain, parts, isTemporary }: Failed) {
	const { cause = 'unknown' } = errorMessage(failure);
	const { because, line } = 'rule' in failure ? failure : {};
	const retry = () => {
		if (isUncertain || parts?.sent || cause === 'bug') return 'check';
		if (isTemporary ?? retryPolicy(failure).isTemporary) return 'safe';
		const isNever =
			failure.kind === 'notUsable' || failure.kind === 'invalidInput'
				? NEVER_REPEATED.test(cause)
				: repeatOf(causeOf(failure)) === 'never';
		return isNever ? 'never' : 'later';
	};
	return {
		...{ cause, retry: retry() },
		...(because && { because: shownText(`${because.field} = ${because.value}`) }),
		...(line && { line: shownText(line) }),
	};
}

/** `notFound` is what a 404 with JSON means to the operation. A 404 without JSON is not from the gateway. */
function rejectionMessage(failure: Rejection, isInDialog: boolean): ErrorText {
	const { response, receivedAt, notFound, because } = failure;
	const { status, headers, data } = response;
	const { code: label, message: detail } = gatewayError(data);
	const ofCause = causeText(causeOf(failure), isInDialog);
	const isOfOperation = status === 404 && isObject(data) && notFound && !namedCause(response);
	const { message, description, cause } = isOfOperation ? notFound : ofCause;
	const isQuoted = isQuotable(errorCode(response), status);
	const remarks = [
		clockRemark(response, receivedAt),
		cause === 'rejected' ? `${description} ${status}.` : description,
		headers.location && `It redirects to ${headers.location.split('?')[0]}.`,
		headers['retry-after'] && `It asks to wait: Retry-After ${headers['retry-after']}.`,
		label && !isQuoted && `Its code is ${label.slice(0, 100)}.`,
		detail && sentence(`The gateway says: ${detail.slice(0, 500)}`),
		because && ![label, detail].includes(because.value) && reasonOf(because),
		!isObject(data) &&
			// Where the status means success, the content was read.
			(status >= 300 || typeof data === 'string') &&
			cause !== 'web_page' &&
			`The response (status ${status}) was not JSON, so it may not be from the gateway.`,
	];
	return {
		cause,
		message: `${message} (${isQuoted ? `${status}, ${label}` : status})`,
		description: remarks.filter(Boolean).join(' '),
	};
}

const reasonOf = ({ field, value }: Because) => `Because \`${field}\` is \`${value}\`.`;

function unclearMessage(failure: Unclear, isInDialog: boolean): ErrorText {
	const { response, rule, because, line } = failure;
	const { message, description, cause } = causeText(causeOf(failure), isInDialog, true);
	const only = rule === 'noEvidence' ? 'only ' : '';
	const said = because && `The response says ${only}\`${because.field}\`: "${because.value}".`;
	const toDo =
		line &&
		`If this means success, add this line to '${MEANING_OF_RESPONSES}' of the credential: ${line}`;
	return {
		cause,
		message: `${message} (${response.status})`,
		description: [description, rule === 'declared' ? because?.value : said, toDo]
			.filter(Boolean)
			.join(' '),
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

/** Only for rejections that the clock may have caused. */
function clockRemark(response: GatewayResponse, receivedAt: number): string | undefined {
	if (!clockDoubt(response)) return undefined;
	const skew = clockSkewMs(response, receivedAt);
	if (skew === undefined || Math.abs(skew) <= TOLERATED_SKEW_MS) return undefined;
	const seconds = Math.round(Math.abs(skew) / 1000);
	const limit =
		Math.abs(skew) > MAX_CORRECTION_MS ? ' The node corrects no more than 24 hours.' : '';
	return `The clock of this n8n is ${seconds} s ${skew > 0 ? 'ahead of' : 'behind'} the gateway's: set it first (NTP), because the signature contains the time.${limit}`;
}

/** `reason`: n8n's reason for a block, or the end of a pause. */
export function notSentText(failure: NotSent, isInDialog?: boolean): ErrorText {
	const { message, description, ...named } = causeText(causeOf(failure), isInDialog);
	const { cause, reason } = failure;
	const isPause = cause === 'paused';
	const parts = ['Nothing was sent.', description, reason && !isPause && `n8n says: ${reason}`];
	return {
		...named,
		message: reason && isPause ? `${message} until ${reason}` : message,
		description: parts.filter(Boolean).join(' '),
	};
}
