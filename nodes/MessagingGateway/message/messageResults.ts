import type { IExecuteFunctions, IDataObject } from 'n8n-workflow';

import { causeOf } from '../../../gateway/errors/causes';
import type { RequestFailure, Result } from '../../../gateway/replies/failure';
import type { GatewayResponse } from '../../../gateway/wire/response';
import { addToTrace } from '../n8n/trace';
import { itemJson, responseJson } from '../request/outputItems';
import type { Message } from '../sending/retry';
import type { RunResult } from '../sending/sendAll';

/** Returns the JSON of a message's item. A rejection can say that the gateway has the message of an earlier attempt with the same key. */
export function messageResult(
	result: Result<GatewayResponse>,
	hasKey: boolean,
): Result<IDataObject> {
	if ('value' in result) {
		// Only a simulated response has no outcome.
		const { outcome = 'rehearsed' } = result.value;
		return { value: responseJson(result.value, { outcome }) };
	}
	const { failure } = result;
	const isDuplicate = hasKey && failure.kind === 'rejected' && isKnownKey(failure);
	return isDuplicate ? { value: responseJson(failure.response, { outcome: 'duplicate' }) } : result;
}

const isKnownKey = (failure: Extract<RequestFailure, { kind: 'rejected' }>) =>
	causeOf(failure) === 'already_exists' &&
	(failure.response.status < 300 || [409, 422].includes(failure.response.status));

/** Returns the output of a message. For a split message, it is the response to the first part, with those to all `parts`. */
export function joined(parts: IDataObject[]): IDataObject {
	if (parts.length === 1) return parts[0]!;
	const { outcome: _, ...response } = parts[0]!;
	return itemJson(response, { outcome: outcomeOfParts(parts), parts });
}

/** Returns one outcome for all parts. Some may have arrived with an earlier attempt, and others may be deferred. */
function outcomeOfParts(parts: IDataObject[]): string {
	const [first, ...others] = new Set(parts.map(({ outcome }) => outcome as string));
	if (others.length === 0) return first!;
	return [first, ...others].includes('deferred') ? 'deferred' : 'sent';
}

const OUTCOMES = ['sent', 'deferred', 'duplicate', 'rehearsed', 'unknown', 'failed'];

/**
 * Adds the results of a run to the node's span in n8n's trace. They are only counts, so the trace contains nothing from an
 * item. `count429` is the number of requests that got a 429.
 */
export function addTrace(
	context: IExecuteFunctions,
	{ results, accounts }: RunResult<Message, IDataObject>,
	count429: number,
): void {
	const outcomes = [...results.values()].map((result) => {
		if ('value' in result) return outcomeOfParts(result.value);
		return result.isUncertain ? 'unknown' : 'failed';
	});
	const counts = OUTCOMES.map((name) => {
		const count = outcomes.filter((outcome) => outcome === name).length;
		return [`messages.${name}`, count] as const;
	});
	const limitedMs = accounts.reduce((sum, { limitWaitMs }) => sum + limitWaitMs, 0);
	const tracing: Record<string, number> = {
		...Object.fromEntries(counts),
		...{ 'requests.limited': count429, 'limited.ms': Math.round(limitedMs) },
	};
	addToTrace(context, tracing);
}
