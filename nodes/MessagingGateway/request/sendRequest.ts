import type { IHttpRequestOptions } from 'n8n-workflow';

import { clockDoubt } from '../../../gateway/responses/responseFailure';
import { signingClockOf } from '../../../gateway/wire/signingClock';
import { MEANING_OF_RESPONSES } from '../../../gateway/responses/declared';
import { errorCode } from '../../../gateway/responses/find';
import type { Result } from '../../../gateway/responses/failure';
import type { Confirmation } from '../../../gateway/responses/dialect';
import { judged } from '../../../gateway/responses/outcome';
import { type GatewayResponse, readResponse } from '../../../gateway/wire/response';
import { cancelSignal, type Context, withCancelSignal } from '../n8n/cancelSignal';
import { isModelCall } from '../n8n/toolCalls';
import { type Account, CREDENTIAL, refreshCredential } from './account';
import { readAll, withinTimeout, STREAMED } from './connection';
import { failureInInput } from './inputErrors';
import { steadyClock } from './steadyClock';

type TimedRequest = IHttpRequestOptions & { timeout: number };

/**
 * Sends a request of an operation or of the trigger. n8n runs the credential's request hook
 * (credentials/requestHook.ts), which adds URL, token and signature.
 */
export async function sendRequest(
	context: Context,
	account: Account,
	request: TimedRequest,
	confirmation?: Confirmation,
): Promise<Result<GatewayResponse>> {
	const signingClock = signingClockOf(account.credentials);
	const send = async () => {
		// This also happens before a request is sent again, because its first response may have taken a long time.
		const failed = await refreshCredential(context, account).catch(failureInInput);
		if (failed) return failed;
		const { credentials, redact, declared } = account;
		const data = { ...credentials, isOwnNode: true };
		return await withinTimeout(
			{ context, timeoutMs: request.timeout, redact, proxy: request.proxy },
			async (signal) =>
				(await context.helpers.httpRequestWithAuthentication.call(
					withCancelSignal(context, signal),
					CREDENTIAL,
					{ ...request, ...STREAMED },
					{ credentialsDecrypted: { id: '', name: '', type: CREDENTIAL, data } },
				)) as unknown,
			async ({ statusCode: status, headers, body: stream }): Promise<Result<GatewayResponse>> => {
				const response = readResponse({ status, headers, bytes: await readAll(stream) }, redact);
				const requestBody = Buffer.isBuffer(request.body) ? request.body : undefined;
				const result = judged(response, { confirmation, requestBody, declared });
				return withoutLine(context, result);
			},
		);
	};
	const signedWith = signingClock.source;
	const result = await send();
	const rejected = response401(result);
	if (!rejected || !signingClock.learn(rejected, signedWith, clockDoubt(rejected))) return result;
	// This machine's clock is wrong. The request hook has the same signing clock, so it now signs with the gateway's
	// time. The second request belongs to the same attempt, because the gateway did not process the first one.
	const signedAgainWith = signingClock.source;
	const second = await send();
	if (!response401(second)) return second;
	signingClock.drop(signedAgainWith);
	// If a proxy set the Date header, that time is wrong and the second 401 is about it, so the first 401 has the cause.
	return errorCode(rejected) === 'invalid_signature' ? result : second;
}

/** Tells the owner, and not the model, how to declare what an unknown response means: n8n passes a tool's error on to the model. */
function withoutLine<T>(context: Context, result: Result<T>): Result<T> {
	const failure = 'failure' in result ? result.failure : undefined;
	if (failure?.kind !== 'unclear' || !failure.line || !isModelCall(context)) return result;
	const { name } = context.getNode();
	context.logger.warn(
		`${name}: unknown response. A line for '${MEANING_OF_RESPONSES}': ${failure.line}`,
	);
	return { failure: { ...failure, line: undefined } };
}

function response401(result: Result<unknown>): GatewayResponse | undefined {
	if (!('failure' in result) || result.failure.kind !== 'rejected') return undefined;
	const { response } = result.failure;
	return response.status === 401 ? response : undefined;
}

/** A request that starts just before the deadline has at least this timeout. */
const MIN_TIMEOUT_MS = 1_000;

/**
 * Sends a request that is not a message, without retries, when the account's scheduler allows it. The request starts before `deadline`,
 * a time of the steady clock, and ends by then or within MIN_TIMEOUT_MS. Signing again after a 401 takes up to the same time again.
 * Returns undefined if the execution is cancelled or the deadline has passed, and the failure `paused` if a pause lasted until then.
 */
export async function sendNonMessage(
	context: Context,
	account: Account,
	request: TimedRequest,
	{ deadline = Infinity, confirmation }: { deadline?: number; confirmation?: Confirmation } = {},
): Promise<Result<GatewayResponse> | undefined> {
	return await account.scheduler.sendNonMessage(
		async () => {
			const left = Math.max(MIN_TIMEOUT_MS, Math.ceil(deadline - steadyClock.now()));
			const timeout = Math.min(request.timeout, left);
			return await sendRequest(context, account, { ...request, timeout }, confirmation);
		},
		cancelSignal(context),
		deadline,
	);
}
