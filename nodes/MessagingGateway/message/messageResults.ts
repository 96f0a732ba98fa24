import type { IDataObject } from 'n8n-workflow';

import { errorMessage } from '../../../gateway/failures/errorMessage';
import type { Failed, RequestFailure, Result } from '../../../gateway/responses/failure';
import { without } from '../../../gateway/json';
import type { GatewayResponse } from '../../../gateway/wire/response';
import { itemJson, type ItemResult, responseJson } from '../operation/outputItems';

/** Returns the JSON of a message's item. A rejection can say that the gateway has the message of an earlier attempt with the same key. */
export function messageResult(
	result: Result<GatewayResponse>,
	hasKey: boolean,
): Result<IDataObject> {
	if ('value' in result) {
		const { outcome } = result.value;
		return { value: responseJson(result.value, { outcome }) };
	}
	const { failure } = result;
	const isDuplicate = hasKey && failure.kind === 'rejected' && isKnownKey(failure);
	return isDuplicate ? { value: responseJson(failure.response, { outcome: 'duplicate' }) } : result;
}

const isKnownKey = (failure: Extract<RequestFailure, { kind: 'rejected' }>) =>
	failure.cause === 'already_exists' &&
	(failure.response.status < 300 || [409, 422].includes(failure.response.status));

/** Returns the item or failure of a message. In a test, neither claims anything about the recipient. `test`: see sendMessages.ts. */
export function itemResult(result: Result<IDataObject[]>, test?: string): ItemResult {
	if ('failure' in result) return failureOf(result, test);
	const json = joined(result.value);
	if (test === undefined) return { value: [{ json }] };
	const testNumber = itemJson(json, { recipient: test });
	const shown = test === '' ? json : { outcome: 'redirected', testNumber };
	return { value: [{ json: { ...shown, isTest: true } }] };
}

/** Only credentials with limits reject a message for its form. */
const NOT_ALLOWED = 'request_not_allowed';

/** Marks the failure of a test. An item that fails with any credential is none. */
export function failureOf<F extends Failed>(failed: F, test?: string): F {
	const { failure } = failed;
	const isOwn = failure.kind === 'invalidInput' && errorMessage(failure).cause !== NOT_ALLOWED;
	if (test === undefined || isOwn) return failed;
	if (test === '') return { ...failed, test: 'Rehearsal' };
	return { ...failed, isUncertain: false, parts: undefined, test: 'Test number' };
}

/** Returns whether a message got so far that a test kept it from its recipient. */
export const isTested = (result: Result<unknown>, test?: string): boolean =>
	test !== undefined && ('value' in result || failureOf(result, test).test !== undefined);

/** Returns the output of a message. For a split message, it is the response to the first part, with those to all `parts`. */
function joined(parts: IDataObject[]): IDataObject {
	if (parts.length === 1) return parts[0]!;
	return itemJson(without(parts[0]!, 'outcome'), { outcome: outcomeOfParts(parts), parts });
}

/** Returns one outcome for all parts. Some may have arrived with an earlier attempt, and others may be deferred. */
function outcomeOfParts(parts: IDataObject[]): string {
	const [first, ...others] = new Set(parts.map(({ outcome }) => outcome as string));
	if (others.length === 0) return first!;
	return [first, ...others].includes('deferred') ? 'deferred' : 'sent';
}
