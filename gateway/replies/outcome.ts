import { rejection, type RequestFailure } from './failure';
import {
	ANY,
	BARE,
	DENIALS,
	errorCode,
	find,
	isDocumentedCode,
	isKey,
	isSomething,
	NAMES,
	NO,
	OFFLINE_CODE,
	type Scope,
	textOf,
	wordOf,
} from './dialect';
import { type GatewayResponse, isWebPage } from '../wire/response';

/** The field with which a gateway confirms what a request did. */
export type SuccessField = 'sent' | 'deleted' | 'started' | 'refreshed' | 'terminated';
export type Outcome = 'sent' | 'deferred' | 'duplicate';

const ALL = { everyEntry: true };

/** Why a response is not a success; undefined if it is. A request that only reads has no success field. */
export function rejectionIn(
	response: GatewayResponse,
	successField?: SuccessField,
): RequestFailure | undefined {
	const isOk = response.status >= 200 && response.status < 300 && !isWebPage(response);
	const denies = successField ? isDenied : isErrorBody;
	return isOk && !denies(response, successField) ? undefined : rejection(response);
}

/** Where a request only reads, fields that deny success may be its payload. */
const isErrorBody = (response: GatewayResponse) =>
	find(response.data, ['success', 'ok', 'error']).some(
		({ name, value, holder }) => holder === response.data && value === (name === 'error'),
	) ||
	(isDenied(response) && !hasPayload(response.data));

const { envelopes, errors, codes, messages, remarks } = NAMES;
const REMARKS = [...envelopes, ...errors, ...codes, ...messages, ...remarks];

/** Whether a response holds more than remarks about itself. */
export const hasPayload = (data: unknown, otherRemarks: string[] = [], within: string[] = []) =>
	find(data, ANY, { within }).some(({ name, value }) =>
		name === BARE
			? isSomething(value) && !(Array.isArray(value) && value.length === 1)
			: ![...REMARKS, ...otherRemarks, ...within].includes(name),
	);

const isErrorCode = (code: string) => isDocumentedCode(code) || OFFLINE_CODE.test(code);

/** Whether any part of a body says that it was not done. Anything else confirms it: the API document shows no responses. */
export function isDenied(response: GatewayResponse, successField?: SuccessField, scope?: Scope) {
	const isSend = successField === 'sent';
	return find(response.data, ANY, { ...ALL, ...scope }).some(({ name, value, holder }) => {
		const word = wordOf(value);
		// A message with a delivery key waits at the gateway (API document), and the error is the reason.
		if (errors.includes(name)) return isSomething(value) && !(isSend && hasDeliveryKey(holder));
		if (name === 'code' && isErrorCode(textOf(value).toLowerCase())) return true;
		// A deferred message is not sent yet.
		if (name === successField) return NO.test(word) && !(isSend && outcomeOf(response) !== 'sent');
		return DENIALS.some(([names, denial]) => names.includes(name) && denial.test(word));
	});
}

const hasDeliveryKey = (data: unknown) =>
	find(data, NAMES.deliveryKeys, ALL).some(({ value }) => isKey(value));

/** The outcome of a message that was not rejected. The words for it are common in other gateways. */
export function outcomeOf({ status, data }: GatewayResponse): Outcome {
	const facts = find(data, ANY, ALL);
	const wordsOf = (names: string[]) =>
		facts.filter(({ name }) => names.includes(name)).map(({ value }) => wordOf(value));
	const states = wordsOf(['status', BARE]);
	const flags = wordsOf(NAMES.duplicateFlags);
	if (flags.includes('true') || states.includes('duplicate')) return 'duplicate';
	const isDeferred = states.some((word) => /^(deferred|queued|scheduled|pending)$/.test(word));
	const isUnsent = status === 202 && !states.includes('sent');
	return isDeferred || isUnsent || hasDeliveryKey(data) ? 'deferred' : 'sent';
}

export const messageIdIn = (data: unknown) =>
	find(data, NAMES.messageIds, ALL)
		.map(({ value }) => value)
		.find(isKey)
		?.toString();

/** A gateway may reject a repeated idempotency key: the message has arrived with an earlier attempt. */
export const isDuplicateRejection = (response: GatewayResponse) =>
	(response.status < 300 || [409, 422].includes(response.status)) &&
	errorCode(response) === 'already_exists';
