import { DELIVERY_KEY_NAMES, isKey } from './deliveries';
import { textForCode } from '../errorCatalog';
import { errorCode, gatewayError } from './errorResponse';
import { rejection, type RequestFailure } from '../failure';
import { isObject, type JsonObject } from '../json';
import { type GatewayResponse, isWebPage } from './response';

/** The field with which a gateway confirms what a request did. */
export type Confirmation = 'sent' | 'deleted' | 'started' | 'refreshed' | 'terminated';

/** Why a response is not a success; undefined if it is. */
export function rejectionIn(
	response: GatewayResponse,
	confirmation?: Confirmation,
): RequestFailure | undefined {
	if (isRejected(response)) return rejection(response);
	const denial = confirmation && denialIn(response, confirmation);
	return denial && rejection({ ...response, data: denial });
}

/** Fields that may accompany an error code in a body with status 2xx without being the payload. */
const ERROR_BODY_FIELDS = [
	'error',
	'code',
	'message',
	'details',
	'success',
	'ok',
	'statusCode',
	'timestamp',
	'path',
	'requestId',
];

/** By the status, or by a body that contradicts a status 2xx. A web page is not from the gateway. */
function isRejected(response: GatewayResponse): boolean {
	const { status, data } = response;
	if (status < 200 || status >= 300 || isWebPage(response)) return true;
	if (!isObject(data)) return false;
	if (data.success === false || data.ok === false || data.error === true) return true;
	return (
		isError(data.error) &&
		gatewayError(data).code !== undefined &&
		Object.keys(data).every((name) => ERROR_BODY_FIELDS.includes(name))
	);
}

/** A list may be long; the entries say the same. */
const MAX_ENTRIES = 100;

/**
 * The fields of a response that denies success, for requests that do something. Where a request only reads, the same
 * fields may be the payload. Text and an empty body confirm: the API document shows no response bodies.
 */
function denialIn(response: GatewayResponse, confirmation: Confirmation): JsonObject | undefined {
	const { data } = response;
	if (data === false) return {};
	const envelope = isObject(data) ? [data, data.data, data.result, data.results] : [data];
	const objects = envelope
		.flatMap((part: unknown) =>
			Array.isArray(part) ? (part as unknown[]).slice(0, MAX_ENTRIES) : [part],
		)
		.filter(isObject);
	if (objects.some((object) => object[confirmation] === true)) return undefined;
	const isDeferred = outcomeOf(response) !== 'sent';
	const denied =
		objects.find(hasFailed) ??
		// A deferred message is not sent yet.
		objects.find(
			(object) => isNo(object[confirmation]) && !(isDeferred && confirmation === 'sent'),
		);
	if (denied) return { ...objects[0], ...denied };
	// Next to evidence of success, an error is about an earlier attempt.
	if (isDeferred || objects.some(hasEvidence)) return undefined;
	const withError = objects.find(hasError);
	return withError && { ...objects[0], ...withError };
}

const word = (value: unknown) =>
	typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
		? String(value).trim()
		: '';

const isNo = (value: unknown) => /^(false|no|0)$/i.test(word(value));

const STATE_NAMES = ['status', 'state', 'outcome', 'result'];
const FAILED =
	/^(fail(ed|ure)?|error(ed)?|reject(ed)?|denied|refused|(not_?|un)(sent|deleted|delivered)|undeliverable|invalid|[45]\d\d)$/i;

const hasFailed = (object: JsonObject) =>
	['success', 'ok', 'accepted'].some((name) => isNo(object[name])) ||
	[object.data, object.result].includes(false) ||
	object.failed === true ||
	[...STATE_NAMES, 'statusCode', 'code'].some((name) => FAILED.test(word(object[name])));

const EVIDENCE_NAMES = ['messageId', 'message_id', 'msgId', ...DELIVERY_KEY_NAMES];

const hasEvidence = (object: JsonObject) =>
	EVIDENCE_NAMES.some((name) => word(object[name]) !== '') ||
	STATE_NAMES.some((name) => /^(sent|delivered|accepted)$/i.test(word(object[name])));

const isError = (value: unknown) =>
	typeof value === 'object' && value !== null
		? Object.keys(value).length > 0
		: !/^(|false|no|0|none|null)$/i.test(word(value));

function hasError(object: JsonObject): boolean {
	const { code = '' } = gatewayError(object);
	return (
		[object.error, object.errors].some(isError) || textForCode(code.toLowerCase()) !== undefined
	);
}

export type Outcome = 'sent' | 'deferred' | 'duplicate';

const DUPLICATE_FLAGS = ['duplicate', 'isDuplicate', 'deduplicated'];
const DEFERRED_WORDS = ['deferred', 'queued', 'scheduled', 'pending'];

/** The outcome of a message that was not rejected. The API document shows no responses, so this follows common gateways. */
export function outcomeOf({ status, data }: GatewayResponse): Outcome {
	const objects = isObject(data) ? [data, data.data, data.result].filter(isObject) : [];
	const words = objects.map(({ status: word }) =>
		typeof word === 'string' ? word.toLowerCase() : '',
	);
	if (
		words.includes('duplicate') ||
		objects.some((object) => DUPLICATE_FLAGS.some((name) => object[name] === true))
	) {
		return 'duplicate';
	}
	const isDeferred =
		words.some((word) => DEFERRED_WORDS.includes(word)) ||
		objects.some((object) => DELIVERY_KEY_NAMES.some((name) => isKey(object[name])));
	return isDeferred || (status === 202 && !words.includes('sent')) ? 'deferred' : 'sent';
}

/** A gateway may reject a repeated idempotency key: the message has arrived with an earlier attempt. */
export const isDuplicateRejection = (response: GatewayResponse) =>
	(response.status === 409 || response.status === 422) && errorCode(response) === 'already_exists';
