import { clockSkewMs, MAX_CLOCK_SKEW_MS, MAX_CORRECTION_MS, mayBeClockSkew } from './clockSkew';
import {
	gatewayText,
	isQuotable,
	textForCode,
	textForNoResponse,
	textForNotSent,
	textForStatus,
} from './errorCatalog';
import { errorCode, gatewayError } from '../replies/dialect';
import { type ErrorText, notSentCause, type RequestFailure } from '../replies/failure';
import { isObject } from '../json';
import { type GatewayResponse, isWebPage } from '../wire/response';

const TOO_DEEP: ErrorText = {
	message: 'A field contains a circular reference, or is nested too deeply',
	description: 'Let the expressions select the parts that you need instead of a whole object.',
};

const ITEM_SUFFIX = / \[item \d+\]$/;

/** What to tell the user. `now` is the wall clock at the time of the response. */
export function errorMessage(failure: RequestFailure, now: number): ErrorText {
	switch (failure.kind) {
		case 'rejected':
			return rejectionMessage(failure.response, now, failure.notFound);
		case 'notSent':
			return textForNotSent(notSentCause(failure.code), failure.reason);
		case 'noResponse':
			return textForNoResponse(failure.code);
		case 'notUsable':
			return failure.text;
		case 'invalidInput': {
			// n8n itself overflows the stack on such a value.
			if (failure.error instanceof RangeError) return TOO_DEEP;
			const { message, description = '' } = failure.error as Error & Partial<ErrorText>;
			return { message: message.replace(ITEM_SUFFIX, ''), description };
		}
	}
}

/** `notFound` is what a 404 with JSON means to the operation. A 404 without JSON is not from the gateway. */
function rejectionMessage(
	response: GatewayResponse,
	now: number,
	notFound: ErrorText | undefined,
): ErrorText {
	const { status, headers, data } = response;
	const { code: label, message: detail } = gatewayError(data);
	const code = errorCode(response);
	const known = textForCode(code);
	const isPage = status >= 200 && status < 300 && isWebPage(response);
	const { message, description } = isPage
		? gatewayText('webPage')
		: (known ?? (status === 404 && isObject(data) && notFound ? notFound : textForStatus(status)));
	const isQuoted = isQuotable(code, status);
	const remarks = [
		clockRemark(response, now),
		code === 'invalid_signature' && detail ? signatureRemark(detail) : undefined,
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
		message: `${message} (${isQuoted ? `${status}, ${label}` : status})`,
		description: remarks.filter(Boolean).join(' '),
	};
}

const sentence = (text: string) => (/[.!?…]$/.test(text) ? text : `${text}.`);

/** Only for rejections that the clock may have caused. */
function clockRemark(response: GatewayResponse, now: number): string | undefined {
	if (!mayBeClockSkew(response)) return undefined;
	const skew = clockSkewMs(response, now);
	if (skew === undefined || Math.abs(skew) <= MAX_CLOCK_SKEW_MS) return undefined;
	const seconds = Math.round(Math.abs(skew) / 1000);
	const limit =
		Math.abs(skew) > MAX_CORRECTION_MS ? ' The node corrects no more than 24 hours.' : '';
	return `The clock of this n8n is ${seconds} s ${skew > 0 ? 'ahead of' : 'behind'} the gateway's: set it first (NTP), because the signature contains the time.${limit}`;
}

const FORM_CAUSE = /canonical|legacy/i;
const BODY_CAUSE = /body|payload|json/i;

const SIGNATURE_CAUSES: Array<[RegExp, string]> = [
	[
		/timestamp|milliseconds?|\bms\b|\bseconds\b|clock|expired|skew/i,
		'The gateway points at the time: this node sends milliseconds, so check the clocks.',
	],
	[
		/token/i,
		"The gateway points at the token: 'Token' and 'Secret' must be a pair from the same account.",
	],
	[
		FORM_CAUSE,
		"The gateway points at the names of the fields: add the option 'Field Names', or remove it.",
	],
	[BODY_CAUSE, 'The gateway points at the body: look for a proxy that changes it.'],
];

/** The cause of a wrong signature that the gateway names; undefined if it lists several. */
function signatureRemark(detail: string): string | undefined {
	const named = SIGNATURE_CAUSES.filter(([cause]) => cause.test(detail));
	const [first, second] = named;
	// "legacy body" is about the form of the body.
	const isForm = named.length === 2 && first?.[0] === FORM_CAUSE && second?.[0] === BODY_CAUSE;
	return named.length === 1 || isForm ? first?.[1] : undefined;
}
