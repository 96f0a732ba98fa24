import { causeOf, causeText, clockDoubt, namedCause, repeatOf } from './causes';
import { retryPolicy } from './retryPolicy';
import { isDocumentedCode } from '../responses/dialect';
import { errorCode, gatewayError } from '../responses/find';
import type { ErrorText, Failed, RequestFailure } from '../responses/failure';
import { saysOffline } from '../responses/sessionStatus';
import { MEANING_OF_RESPONSES } from '../responses/declared';
import type { InvalidInput } from '../inputValues';
import { isObject } from '../json';
import { shownText } from '../decoding';
import type { GatewayResponse } from '../wire/response';
import { clockSkewMs, clockText, MAX_CORRECTION_MS, TOLERATED_SKEW_MS } from '../wire/signingClock';

type Rejection = Extract<RequestFailure, { kind: 'rejected' }>;
type Unclear = Extract<RequestFailure, { kind: 'unclear' }>;
type NotSent = Extract<RequestFailure, { kind: 'notSent' }>;

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
	const remarks = joined(
		clockRemark(response, receivedAt),
		cause === 'rejected' ? `${description} ${status}.` : description,
		headers.location && `It redirects to ${headers.location.split('?')[0]}.`,
		headers['retry-after'] && `It asks to wait: Retry-After ${headers['retry-after']}.`,
		label && !isQuoted && `Its code is ${label.slice(0, 100)}.`,
		detail && sentence(`The gateway says: ${detail.slice(0, 500)}`),
		because &&
			![label, detail].includes(because.value) &&
			`Because \`${because.field}\` is \`${because.value}\`.`,
		!isObject(data) &&
			// Where the status means success, the content was read.
			(status >= 300 || typeof data === 'string') &&
			cause !== 'web_page' &&
			`The response (status ${status}) was not JSON, so it may not be from the gateway.`,
	);
	return {
		cause,
		message: `${message} (${isQuoted ? `${status}, ${label}` : status})`,
		description: remarks,
	};
}

function unclearMessage(failure: Unclear, isInDialog: boolean): ErrorText {
	const { response, rule, because, line } = failure;
	const { message, description, cause } = causeText(causeOf(failure), isInDialog, true);
	const said = rule === 'noEvidence' ? 'says only' : 'says';
	return {
		cause,
		message: `${message} (${response.status})`,
		description: joined(
			description,
			because &&
				(rule === 'declared'
					? because.value
					: `The response ${said} \`${because.field}\`: "${because.value}".`),
			line &&
				`If this means success, add this line to '${MEANING_OF_RESPONSES}' of the credential: ${line}`,
		),
	};
}

const joined = (...remarks: Array<string | false | undefined>) => remarks.filter(Boolean).join(' ');
const sentence = (text: string) => (/[.!?…]$/.test(text) ? text : `${text}.`);

/** Whether to quote a code in a message. n8n replaces messages that contain a code like ECONNRESET. */
function isQuotable(code: string, status: number): boolean {
	if (isDocumentedCode(code)) return true;
	const isFamiliar = saysOffline(code) || (status === 429 && code.includes('limit'));
	return isFamiliar && /^\w{1,40}$/.test(code);
}

/** Only for rejections that the clock may have caused. */
function clockRemark(response: GatewayResponse, receivedAt: number): string | undefined {
	const skew = clockDoubt(response) && clockSkewMs(response, receivedAt);
	if (skew === undefined || Math.abs(skew) <= TOLERATED_SKEW_MS) return undefined;
	const limit =
		Math.abs(skew) > MAX_CORRECTION_MS ? ' The node corrects no more than 24 hours.' : '';
	return `${clockText(skew)}: set it first (NTP), because the signature contains the time.${limit}`;
}

/** `reason`: n8n's reason for a block, or the end of a pause. */
export function notSentText(failure: NotSent, isInDialog?: boolean): ErrorText {
	const { message, description, cause } = causeText(causeOf(failure), isInDialog);
	const { reason } = failure;
	const isPause = failure.cause === 'paused';
	return {
		cause,
		message: reason && isPause ? `${message} until ${reason}` : message,
		description: joined(
			'Nothing was sent.',
			description,
			reason && !isPause && `n8n says: ${reason}`,
		),
	};
}
