import type { IHttpRequestOptions } from 'n8n-workflow';

import { errorMessage } from '../../../gateway/errors/errorMessage';
import { type Failed, notUsable, TIMEOUT } from '../../../gateway/replies/failure';
import { retryPolicy } from '../../../gateway/errors/retryPolicy';
import { notOnline, offline, permanentStatus } from '../../../gateway/errors/sessionErrors';
import type { Account } from '../request/account';
import { type PollTimes, pollUntil, readStatus } from '../request/polling';
import type { Context } from '../request/receive';
import type { OfflineOptions } from './sendOptions';

/** Enough for a gateway that restarts, and for the pause after a 429. */
const STOP: PollTimes = { timeoutMs: 75_000, intervalMs: 1_000 };
const WAIT_INTERVAL_MS = 3_000;

/** Why an account must not send. Undefined if its session is online, or the execution is cancelled. */
export async function offlineReason(
	context: Context,
	account: Account,
	request: Partial<IHttpRequestOptions>,
	{ action, timeoutMs, isOnline }: OfflineOptions,
): Promise<Failed | undefined> {
	const waits = action === 'wait';
	let last: string | undefined;
	const polled = await pollUntil(
		context,
		request,
		waits ? { timeoutMs, intervalMs: WAIT_INTERVAL_MS } : STOP,
		async (send) => {
			const result = await readStatus(send, isOnline);
			if (!result || 'failure' in result) return result;
			last = result.value;
			if (isOnline(last)) return result;
			const reason = waits ? permanentStatus(last) : offline(last);
			return reason && notUsable(reason);
		},
		async () => account,
	);
	if (!polled || 'value' in polled) return undefined;
	if (!('timedOut' in polled)) return beforeSending(polled);
	const timedOut =
		last === undefined
			? { failure: { kind: 'noResponse', code: TIMEOUT } as const }
			: notUsable(notOnline(last, timeoutMs / 1000));
	return beforeSending(polled.failed ?? timedOut);
}

/** Whatever happened to the status request, no message was sent. */
function beforeSending({ failure, attempts }: Failed): Failed {
	if (failure.kind === 'notUsable') {
		const { message, description } = failure.text;
		return { ...notUsable({ message, description: `Nothing was sent. ${description}` }), attempts };
	}
	const now = Date.now();
	if (retryPolicy(failure, now).retry !== 'withKey') return { failure, attempts };
	// The description says that a message may have been sent.
	const { message } = errorMessage(failure, now);
	const text = {
		message: `The status of the session could not be read: ${message}`,
		description: 'Nothing was sent. Check the gateway, then try again.',
	};
	return { ...notUsable(text), attempts };
}
