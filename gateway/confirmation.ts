import { DELIVERY_KEY_NAMES } from './deliveries';
import { textForCode } from './errorCatalog';
import { gatewayError } from './errorResponse';
import { isObject, type JsonObject } from './json';
import type { GatewayResponse } from './response';
import { outcomeOf } from './sendResult';

/** The field with which a gateway confirms what a request did. */
export type Confirmation = 'sent' | 'deleted' | 'started' | 'refreshed' | 'terminated';

/**
 * The fields of a response that denies success, for requests that do something. Where a request only reads, the same
 * fields may be the payload. Text and an empty body confirm: the API document shows no response bodies.
 */
export function denialIn(
	response: GatewayResponse,
	confirmation: Confirmation,
): JsonObject | undefined {
	const { data } = response;
	if (data === false) return {};
	const envelope = isObject(data) ? [data, data.data, data.result, data.results] : [data];
	const objects = envelope.flat().filter(isObject);
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

function hasError(object: JsonObject): boolean {
	const isError = (value: unknown) =>
		typeof value === 'object' && value !== null
			? Object.keys(value).length > 0
			: !/^(|false|no|0|none|null)$/i.test(word(value));
	const { code = '' } = gatewayError(object);
	return (
		[object.error, object.errors].some(isError) || textForCode(code.toLowerCase()) !== undefined
	);
}
