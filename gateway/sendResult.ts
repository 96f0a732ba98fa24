import { DELIVERY_KEY_NAMES, isKey } from './deliveries';
import { errorCode } from './errorResponse';
import { isObject } from './json';
import type { GatewayResponse } from './response';

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
