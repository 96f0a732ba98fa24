import { type Answer, isObject, refusal } from './answer';

export type Outcome = 'sent' | 'deferred' | 'duplicate';

const DUPLICATE_FLAGS = ['duplicate', 'isDuplicate', 'deduplicated'];
const DEFERRED_WORDS = ['deferred', 'queued', 'scheduled', 'pending'];
const KEY_NAMES = ['deliveryKey', 'delivery_key'];

/** What became of a message that was not refused. The API document shows no answer, so: what gateways say. */
export function outcomeOf({ status, data }: Answer): Outcome {
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
		objects.some((object) => KEY_NAMES.some((name) => typeof object[name] === 'string'));
	return isDeferred || (status === 202 && !words.includes('sent')) ? 'deferred' : 'sent';
}

/** A gateway that knows the key may say so by refusing: then an earlier try has done it. */
export const refusesRepeat = ({ status, data }: Answer) =>
	(status === 409 || status === 422) && refusal(data).code?.toLowerCase() === 'already_exists';
