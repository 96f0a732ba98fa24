import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import { clockSkewOf } from '../gateway/errors/clockSkew';
import { parseBaseUrl, resolveTarget } from '../gateway/wire/baseUrl';
import { checkedSecrets } from '../gateway/wire/credentials';
import { signatureRule, type Method } from '../gateway/wire/endpoints';
import { SIGNATURE_HEADER, signatureHeaders, TIMESTAMP_HEADER } from '../gateway/wire/signature';
import { bodyToSend, type UnsignedRequest } from './bodyToSend';
import { withoutHeaders, withoutHopByHop } from './headers';

/**
 * Fills in URL, token and signature: the request hook, which the credential test calls itself. Does not change its input, and accepts its own output: after a 401 n8n calls
 * it again with that (for an HTTP Request node), and expects the same body with a new timestamp.
 */
export function authenticatedRequest(
	credentials: ICredentialDataDecryptedObject,
	request: UnsignedRequest,
): IHttpRequestOptions {
	const { token, secret } = checkedSecrets(credentials);
	const { url, pathBelowBaseUrl } = resolveTarget(parseBaseUrl(credentials.baseUrl), token, {
		// n8n fills this in from the credential, unparsed.
		baseURL: request.baseURL === credentials.baseUrl ? undefined : request.baseURL,
		url: request.url ?? request.uri,
	});
	const method = (request.method ?? 'GET').toUpperCase() as Method;
	const { body, headers } = bodyToSend({
		...request,
		method,
		headers: withoutHopByHop(request.headers),
	});
	const signed = signatureRule(method, pathBelowBaseUrl);
	const signature =
		signed === 'yes' || (signed === 'not stated' && credentials.signDeferred !== false)
			? signatureHeaders({ token, secret }, body ?? '', clockSkewOf(credentials).gatewayTime)
			: {};

	const ready: UnsignedRequest & Record<string, unknown> = {
		...request,
		method,
		...(request.uri === undefined ? { url: url.href } : { uri: url.href }),
		headers: { ...withoutHeaders([TIMESTAMP_HEADER, SIGNATURE_HEADER], headers), ...signature },
		body,
		// Signed requests do not follow redirects. The last two are for n8n's older form of a request.
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
