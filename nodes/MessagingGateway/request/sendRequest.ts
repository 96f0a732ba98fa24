import type { IHttpRequestOptions } from 'n8n-workflow';

import { errorCode } from '../../../gateway/replies/errorResponse';
import type { Failed, RequestFailure, Result } from '../../../gateway/replies/failure';
import { type Confirmation, rejectionIn } from '../../../gateway/replies/outcome';
import { type GatewayResponse, readResponse } from '../../../gateway/wire/response';
import { type Account, CREDENTIAL } from './account';
import { type Context, readAll, receive, STREAMED, withCancelSignal } from './receive';
import { timeoutMs } from './requestOptions';

/**
 * Sends a request. The only way to the gateway: every operation and the trigger use it. n8n runs the request hook of
 * the credential (credentials/requestHook.ts), which fills in URL, token and signature.
 */
export async function sendRequest(
	context: Context,
	account: Account,
	request: IHttpRequestOptions,
	confirmation?: Confirmation,
): Promise<Result<GatewayResponse>> {
	const { clockSkew, credentials, redact } = account;
	const send = async () =>
		await receive(
			{ context, timeoutMs: timeoutMs(request), redact },
			async (signal) =>
				(await context.helpers.httpRequestWithAuthentication.call(
					withCancelSignal(context, signal),
					CREDENTIAL,
					{
						...request,
						// n8n resolves it with the credential of the first item. The request hook knows the right one.
						baseURL: undefined,
						...STREAMED,
					},
					{ credentialsDecrypted: { id: '', name: '', type: CREDENTIAL, data: credentials } },
				)) as unknown,
			async ({ statusCode: status, headers, body }): Promise<Result<GatewayResponse>> => {
				const response = readResponse({ status, headers, bytes: await readAll(body) }, redact);
				const failure = rejectionIn(response, confirmation);
				return failure ? { failure } : { value: response };
			},
		);
	const signedWith = clockSkew.offset;
	const result = await send();
	if (!isRejectedWith401(result) || !clockSkew.learn(result.failure.response, signedWith)) {
		return result;
	}
	// This machine's clock is wrong. The request hook shares the account's clock skew, and now signs with the gateway's
	// time. This is part of the same attempt: the gateway processed nothing.
	const signedAgainWith = clockSkew.offset;
	const second = await send();
	if (!isRejectedWith401(second)) return second;
	clockSkew.drop(signedAgainWith);
	// If a proxy set the Date header, the second rejection is about that time, not about the actual cause.
	return errorCode(result.failure.response) === 'invalid_signature' ? result : second;
}

type Rejected = Failed & { failure: Extract<RequestFailure, { kind: 'rejected' }> };

const isRejectedWith401 = (result: Result<unknown>): result is Rejected =>
	'failure' in result &&
	result.failure.kind === 'rejected' &&
	result.failure.response.status === 401;
