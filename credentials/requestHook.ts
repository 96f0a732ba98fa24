import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import { parseBaseUrl, resolveTarget } from '../gateway/baseUrl';
import { accountKey, gatewayTime } from '../gateway/clock';
import { type Method, signingOf } from '../gateway/endpoints';
import { InvalidInput } from '../gateway/invalidInput';
import { SIGNATURE_HEADER, signatureHeaders, TIMESTAMP_HEADER } from '../gateway/signature';
import { type HookRequest, withoutHeaders } from './request';
import { bodyToSend } from './requestBody';

/**
 * Fills in address, token and signature. It changes nothing that it was given, and what it returns
 * it can be given again: n8n does so after a 401, and then wants the same body under a fresh timestamp.
 */
export function readyToSend(
	credentials: ICredentialDataDecryptedObject,
	request: HookRequest,
): IHttpRequestOptions {
	const { token, secret } = account(credentials);
	const { url, pathBelowBaseUrl } = resolveTarget(parseBaseUrl(credentials.baseUrl), token, {
		// What n8n fills in from this credential may still be as somebody pasted it.
		baseURL: request.baseURL === credentials.baseUrl ? undefined : request.baseURL,
		url: request.url ?? request.uri,
	});
	const method = (request.method ?? 'GET').toUpperCase() as Method;
	const { body, headers } = bodyToSend({ ...request, method });
	const signing = signingOf(method, pathBelowBaseUrl);
	const isSigned =
		signing === 'always' || (signing === 'optional' && credentials.signDeferred !== false);
	const signature = isSigned
		? signatureHeaders({ token, secret }, body ?? '', gatewayTime(accountKey(credentials)))
		: {};

	const ready: HookRequest & Record<string, unknown> = {
		...request,
		method,
		...(request.uri === undefined ? { url: url.href } : { uri: url.href }),
		headers: { ...withoutHeaders([TIMESTAMP_HEADER, SIGNATURE_HEADER], headers), ...signature },
		body,
		// A redirect would carry the signature to wherever the answer points. The last two are what
		// the older form of a request calls it.
		disableFollowRedirect: true,
		followRedirect: false,
		followAllRedirects: false,
	};
	delete ready.baseURL;
	delete ready.form;
	if (request.uri !== undefined) delete ready.url;
	if (body === undefined) delete ready.body;
	return ready as IHttpRequestOptions;
}

function account({ token, secret }: ICredentialDataDecryptedObject) {
	const whatToDo = "Copy it from the gateway's console into the credential.";
	if (typeof token !== 'string' || token.trim() === '') {
		throw new InvalidInput("'Token' of the credential is empty", whatToDo);
	}
	// As parts of a path these mean "here" and "one up", URL-encoded or not.
	if (token === '.' || token === '..') {
		throw new InvalidInput("'Token' of the credential is not a token", whatToDo);
	}
	if (typeof secret !== 'string' || secret === '') {
		throw new InvalidInput("'Secret' of the credential is empty", whatToDo);
	}
	return { token, secret };
}
