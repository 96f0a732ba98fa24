import type { IPollFunctions } from 'n8n-workflow';

import {
	type ErrorText,
	isTimeout,
	notUsable,
	type Result,
} from '../../../gateway/replies/failure';
import { retryPolicy } from '../../../gateway/errors/retryPolicy';
import type { Account } from '../request/account';
import { connectionOptions } from '../request/requestOptions';
import { requestOnce } from '../request/requestOnce';
import { steadyClock } from '../request/steadyClock';
import type { Source } from './event';

/** For the rate limiter and the request together, because n8n polls again after a minute. */
const MAX_MS = 15_000;

export async function readSource<Value, Settings>(
	context: IPollFunctions,
	account: Account,
	source: Source<Value, Settings>,
	settings: Settings,
): Promise<Result<Value>> {
	const deadline = steadyClock.now() + MAX_MS;
	const { method, path } = source.endpoint;
	const connection = connectionOptions(context);
	const request = { ...source.query(context), ...connection, method, url: path };
	const sent = await requestOnce(context, account, request, { deadline });
	if (!sent) return notUsable(TOO_LATE, true);
	const result = source.accept?.(sent) ?? sent;
	if ('value' in result) {
		const value = source.read(result.value, settings);
		return value === undefined ? notUsable(source.unreadable, true) : { value };
	}
	const { failure } = result;
	// A shorter timeout is the user's, and the failure is reported as such.
	if (isTimeout(failure) && connection.timeout >= MAX_MS) return notUsable(TOO_LATE, true);
	return { failure, isTemporary: retryPolicy(failure, steadyClock.date()).isTemporary };
}

const TOO_LATE: ErrorText = {
	message: `The gateway did not respond within ${MAX_MS / 1000} s`,
	description: 'It may be overloaded. Try again later.',
};
