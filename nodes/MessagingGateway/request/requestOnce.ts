import type { IHttpRequestOptions } from 'n8n-workflow';

import { type Failed, PAUSED, type Result } from '../../../gateway/replies/failure';
import type { Confirmation } from '../../../gateway/replies/outcome';
import type { GatewayResponse } from '../../../gateway/wire/response';
import type { Account } from './account';
import { timeoutMs } from './requestOptions';
import { cancelSignal, type Context } from './receive';
import { sendRequest } from './sendRequest';
import { steadyClock } from './steadyClock';

/** A request that starts just before the deadline gets this long. */
const MIN_TIMEOUT_MS = 1_000;

/**
 * Sends a request, without retries, when the account's rate limiter allows it. It starts before the deadline, a
 * time of the steady clock, and ends by then or a second after its start. Undefined if the execution is cancelled or
 * the deadline has passed already.
 */
export async function requestOnce(
	context: Context,
	account: Account,
	request: IHttpRequestOptions,
	{ deadline = Infinity, confirmation }: { deadline?: number; confirmation?: Confirmation } = {},
): Promise<Result<GatewayResponse> | undefined> {
	const signal = cancelSignal(context);
	const { schedule } = account;
	const since = steadyClock.now();
	const result = await schedule.other(
		async () => {
			const left = Math.max(MIN_TIMEOUT_MS, Math.ceil(deadline - steadyClock.now()));
			const timeout = Math.min(timeoutMs(request), left);
			return await sendRequest(context, account, { ...request, timeout }, confirmation);
		},
		signal,
		deadline,
	);
	// Only for a message does it matter whether the gateway may have processed the request.
	if (result) return 'failure' in result ? { failure: result.failure } : result;
	const isPaused = !signal.aborted && schedule.othersStart > since;
	return isPaused ? paused(schedule.othersStart - steadyClock.now()) : undefined;
}

function paused(left: number): Failed {
	const until = new Date(steadyClock.date() + left);
	// After the pause, other requests of the account may come first.
	const reason = left > 0 ? until.toISOString().replace(/\.\d+/, '') : undefined;
	return { failure: { kind: 'notSent', code: PAUSED, reason } };
}
