import { retryPolicy } from './retryPolicy';
import { isDocumentedCode, saysOffline } from '../responses/dialect';
import { gatewayError } from '../responses/find';
import {
	causeText,
	type ErrorText,
	type Failed,
	repeatOf,
	type RequestFailure,
} from '../responses/failure';
import { clockDoubt } from '../responses/responseFailure';
import { MEANING_OF_RESPONSES } from '../responses/declared';
import type { InvalidInput } from '../inputValues';
import { isObject } from '../json';
import { printableText } from '../decoding';
import type { GatewayResponse } from '../wire/response';
import { clockSkewMs, clockText, MAX_CORRECTION_MS, TOLERATED_SKEW_MS } from '../wire/signingClock';

type Kind<K extends RequestFailure['kind']> = Extract<RequestFailure, { kind: K }>;

/** What to tell the user. It can quote the gateway. */
export function errorMessage(failure: RequestFailure, isInDialog = false): ErrorText {
	const { message, description, ...named } = textOf(failure, isInDialog);
	return { ...named, message: printableText(message), description: printableText(description) };
}

function textOf(failure: RequestFailure, isInDialog: boolean): ErrorText {
	if (failure.kind === 'notUsable') return failure.text;
	if (failure.kind === 'invalidInput') return textOfInput(failure);
	const isUnclear = failure.kind === 'unclear';
	const text = causeText(failure.cause, isInDialog, isUnclear || undefined);
	if (failure.kind === 'rejected') return textOfRejection(failure, text);
	if (failure.kind === 'unclear') return textOfUnclear(failure, text);
	return failure.kind === 'notSent' ? textOfNotSent(failure, text) : text;
}

const ITEM_SUFFIX = / \[item \d+\]$/;

function textOfInput({ error, isInSetup }: Kind<'invalidInput'>): ErrorText {
	const { message, description = '', temporary, causeName } = error as Partial<InvalidInput>;
	const usual = isInSetup ? 'invalid_setup' : temporary ? 'file_unavailable' : 'invalid_input';
	return { message: message!.replace(ITEM_SUFFIX, ''), description, cause: causeName ?? usual };
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
			'cause' in failure ? repeatOf(failure.cause) === 'never' : NEVER_REPEATED.test(cause);
		return isNever ? 'never' : 'later';
	};
	return {
		...{ cause, retry: retry() },
		...(because && { because: printableText(`${because.field} = ${because.value}`) }),
		...(line && { line: printableText(line) }),
	};
}

const joined = (...remarks: Array<string | false | undefined>) => remarks.filter(Boolean).join(' ');
const sentence = (text: string) => (/[.!?…]$/.test(text) ? text : `${text}.`);

/** `notFound` is what a 404 with JSON means to the operation. A 404 without JSON is not from the gateway. */
function textOfRejection(failure: Kind<'rejected'>, ofCause: ErrorText): ErrorText {
	const { response, receivedAt, notFound, because } = failure;
	const { status, headers, data } = response;
	const { code, message: detail } = gatewayError(data);
	const isOfOperation = failure.cause === 'not_found' && isObject(data);
	const { message, description, cause } = (isOfOperation && notFound) || ofCause;
	const isQuoted = isQuotable(code, status);
	return {
		cause,
		message: `${message} (${isQuoted ? `${status}, ${code}` : status})`,
		description: joined(
			clockRemark(response, receivedAt),
			cause === 'rejected' ? `${description} ${status}.` : description,
			headers.location && `It redirects to ${headers.location.split('?')[0]}.`,
			headers['retry-after'] && `It asks to wait: Retry-After ${headers['retry-after']}.`,
			code && !isQuoted && `Its code is ${code.slice(0, 100)}.`,
			detail && sentence(`The gateway says: ${detail.slice(0, 500)}`),
			because &&
				![code, detail].includes(because.value) &&
				`Because \`${because.field}\` is \`${because.value}\`.`,
			!isObject(data) &&
				// Where the status means success, the content was read.
				(status >= 300 || typeof data === 'string') &&
				cause !== 'web_page' &&
				`The response (status ${status}) was not JSON, so it may not be from the gateway.`,
		),
	};
}

function textOfUnclear({ response, rule, because, line }: Kind<'unclear'>, ofCause: ErrorText) {
	const said = rule === 'noEvidence' ? 'says only' : 'says';
	const quoted = because && `The response ${said} \`${because.field}\`: "${because.value}".`;
	return {
		...ofCause,
		message: `${ofCause.message} (${response.status})`,
		description: joined(
			ofCause.description,
			rule === 'declared' ? because?.value : quoted,
			line &&
				`If this means success, add this line to '${MEANING_OF_RESPONSES}' of the credential: ${line}`,
		),
	};
}

/** Whether to quote a code in a message. n8n replaces messages that contain a code like ECONNRESET. */
const isQuotable = (code: string, status: number) =>
	isDocumentedCode(code.toLowerCase()) ||
	((saysOffline(code) || (status === 429 && /limit/i.test(code))) && /^\w{1,40}$/.test(code));

/** Only for rejections that the clock may have caused. */
function clockRemark(response: GatewayResponse, receivedAt: number): string | undefined {
	const skew = clockDoubt(response) && clockSkewMs(response, receivedAt);
	if (skew === undefined || Math.abs(skew) <= TOLERATED_SKEW_MS) return undefined;
	const limit =
		Math.abs(skew) > MAX_CORRECTION_MS ? ' The node corrects no more than 24 hours.' : '';
	return `${clockText(skew)}: set it first (NTP), because the signature contains the time.${limit}`;
}

/** `reason`: n8n's reason for a block, or the end of a pause. */
function textOfNotSent({ cause, reason }: Kind<'notSent'>, ofCause: ErrorText): ErrorText {
	const { message, description } = ofCause;
	const isPause = cause === 'paused';
	const remark = reason && !isPause && `n8n says: ${reason}`;
	return {
		...ofCause,
		message: reason && isPause ? `${message} until ${reason}` : message,
		description: joined('Nothing was sent.', description, remark),
	};
}
