import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IHttpRequestOptions,
} from 'n8n-workflow';

import { signingClockOf } from '../gateway/wire/signingClock';
import { oneOf, InvalidInput } from '../gateway/inputValues';
import { isObject, without } from '../gateway/json';
import { resolveTarget } from '../gateway/wire/baseUrl';
import { signatureRule, type Method } from '../gateway/wire/endpoints';
import { allowsAnyone, checkRequest } from '../gateway/wire/guard';
import { readPace } from '../gateway/wire/account';
import {
	checkedSecrets,
	SIGNATURE_HEADER,
	signatureHeaders,
	TIMESTAMP_HEADER,
} from '../gateway/wire/signature';

/** n8n's request options before the request hook. HTTP Request nodes still pass the older form, with `uri` in place of `url`. */
type UnsignedRequest = Omit<IHttpRequestOptions, 'url'> & {
	url?: string;
	uri?: string;
	form?: unknown;
	formData?: unknown;
};

/**
 * Throws InvalidInput for other nodes, unless the owner of the credential allows them, and limits neither recipients nor pace. Only our
 * node keeps the pace. The errors of an HTTP Request node contain the request, where expressions read token and signature. The signature
 * covers neither path nor content type, so with another one, a gateway could read the signed body as a message to someone else.
 */
export function checkNode(credentials: ICredentialDataDecryptedObject) {
	const { isOwnNode, allowedHttpRequestDomains } = credentials;
	if (Object.hasOwn(credentials, 'isOwnNode') && isOwnNode === true) return;
	const isLimited = !allowsAnyone(credentials) || readPace(credentials) !== undefined;
	if (allowedHttpRequestDomains === 'all' && !isLimited) return;
	throw new InvalidInput(
		'The credential does not allow HTTP Request nodes, so the request was not sent',
		"Use the Messaging Gateway node. The owner of the credential can allow HTTP Request nodes if 'Send Messages To' is Anyone and 'Messages per Minute' is 0: with 'Allowed HTTP Request Domains' set to Base URL Only. Whoever may use the credential can then read its token.",
		undefined,
		'request_not_allowed',
	);
}

/**
 * Returns the request with URL, token and signature filled in. n8n calls this request hook, and the credential test calls it itself.
 * Accepts its own output and does not change its input: after a 401, n8n calls it for an HTTP Request node again with the output of
 * the first call, and expects the same body with a new timestamp.
 */
export function authenticatedRequest(
	credentials: ICredentialDataDecryptedObject,
	request: UnsignedRequest,
	now?: number,
): IHttpRequestOptions {
	const { token, secret } = checkedSecrets(credentials);
	const { signDeferred = true } = credentials;
	const signsAll = oneOf<unknown>(signDeferred, [true, false], 'Sign Deferred Requests');
	const { url, pathBelowBaseUrl } = resolveTarget(credentials.baseUrl, token, {
		// n8n sets it to the value in the credential, unparsed, so that value is no base URL of the request itself.
		baseURL: request.baseURL === credentials.baseUrl ? undefined : request.baseURL,
		url: request.url ?? request.uri,
	});
	checkProxy(request, url, !allowsAnyone(credentials));
	const method = (request.method ?? 'GET').toUpperCase() as Method;
	const headers = passedOn(request.headers);
	const { body, headers: ofBody } = bodyToSend({ ...request, method, headers });
	checkRequest(credentials, method, pathBelowBaseUrl, body);
	const rule = signatureRule(method, pathBelowBaseUrl);
	const signature =
		rule === 'yes' || (rule === 'not stated' && signsAll)
			? signatureHeaders(
					{ token, secret },
					body ?? '',
					now ?? signingClockOf(credentials).signingTime,
				)
			: {};

	return {
		...without(request, 'baseURL', 'url', 'body'),
		method,
		[request.uri === undefined ? 'url' : 'uri']: url.href,
		headers: { ...headers, ...ofBody, ...signature },
		...(body && { body }),
		// Signed requests do not follow redirects. The last two options are those of n8n's older form of a request.
		disableFollowRedirect: true,
		followRedirect: false,
		followAllRedirects: false,
	} as unknown as IHttpRequestOptions;
}

/** Matches a form type anywhere in the header, as n8n does, e.g. in multipart/form-data; boundary=x. */
const FORM_TYPE = /multipart\/|application\/x-www-form-urlencoded/i;

/** Returns the exact bytes to sign and send, and a Content-Type header if the request has none. */
function bodyToSend(request: UnsignedRequest): { body?: Buffer; headers?: IDataObject } {
	const { form, formData, method = 'GET' } = request;
	// n8n sends a body with these methods only for HTTP Request nodes, which use `uri`.
	const hasNoBody = request.uri === undefined && ['GET', 'HEAD', 'OPTIONS'].includes(method);
	const body: unknown = hasNoBody ? undefined : request.body;
	const declared = contentTypeOf(request.headers);
	if ((form ?? formData) !== undefined || FORM_TYPE.test(declared ?? '') || isFormOrFile(body)) {
		throw new InvalidInput(
			'A form or a file cannot be signed, and was not sent',
			"The gateway accepts JSON: choose it as 'Body Content Type', with a file as base64. Or use Send Media of the Messaging Gateway node.",
		);
	}
	const bytes = isEmptyBody(body, request) ? undefined : bytesOf(body);
	if (!bytes?.length) return {};
	const headers = declared === undefined ? { 'Content-Type': 'application/json' } : {};
	return { body: bytes, headers };
}

function bytesOf(body: unknown): Buffer {
	if (Buffer.isBuffer(body)) return body;
	if (ArrayBuffer.isView(body)) return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
	if (body instanceof ArrayBuffer) return Buffer.from(body);
	return Buffer.from(typeof body === 'string' ? body : (JSON.stringify(body) ?? ''));
}

/** n8n does not send an empty object or list. In an HTTP Request node (`uri`) the user entered the braces, so it is sent. */
function isEmptyBody(body: unknown, request: UnsignedRequest): boolean {
	if (body === undefined || body === null) return true;
	const isCollection = isObject(body) || Array.isArray(body);
	return isCollection && Object.keys(body).length === 0 && request.uri === undefined;
}

function isFormOrFile(body: unknown): boolean {
	if (typeof body !== 'object' || body === null) return false;
	return (
		'pipe' in body ||
		/(FormData|URLSearchParams|Blob|File|ReadableStream)\]$/.test(
			Object.prototype.toString.call(body),
		)
	);
}

function contentTypeOf(headers: IDataObject = {}): string | undefined {
	const names = Object.keys(headers).filter((key) => key.toLowerCase() === 'content-type');
	return names.length > 0 ? JSON.stringify(names.map((name) => headers[name])) : undefined;
}

/**
 * Throws InvalidInput if the proxy of a node could read the token. Users who may only use the credential can enter their own proxy there,
 * so the connection must be encrypted, with a verified certificate. The administrator chooses the proxy of n8n itself, so it is trusted.
 */
function checkProxy(request: UnsignedRequest, { protocol }: URL, isLimited: boolean): void {
	const { proxy, agentOptions, skipSslCertificateValidation, ...legacy } = request;
	if (!proxy) return;
	// It can also respond in place of the gateway, and hold a request back until the owner has changed the limits.
	if (isLimited) {
		throw new InvalidInput(
			'A node cannot choose a proxy for a credential that limits recipients, so the request was not sent',
			"Remove 'Proxy' under Request Options. Or let the administrator set the proxy of n8n itself: HTTPS_PROXY, or HTTP_PROXY.",
		);
	}
	// Depending on its form, a request turns off or replaces the verification in one of these options.
	const isVerified =
		skipSslCertificateValidation !== true &&
		(legacy as { rejectUnauthorized?: unknown }).rejectUnauthorized !== false &&
		!(
			isObject(agentOptions) &&
			('ca' in agentOptions || agentOptions.rejectUnauthorized === false)
		);
	if (protocol === 'https:' && isVerified) return;
	throw new InvalidInput(
		'The proxy of this node could read the token, so the request was not sent',
		"With 'Proxy', 'Base URL' of the credential must start with https://, and the node must not ignore SSL issues or bring its own CA. Or let the administrator set the proxy of n8n itself: HTTPS_PROXY, or HTTP_PROXY.",
	);
}

/** Headers of a single connection. Another `Host` could send token and signature to another server at the same address. */
const HOP_BY_HOP = [
	...['host', 'connection', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
	...['proxy-authenticate', 'proxy-authorization', 'proxy-connection'],
];
/** Headers that described the body before it was converted, or that an earlier call of the hook added. */
const OUTDATED = ['content-length', TIMESTAMP_HEADER, SIGNATURE_HEADER];
const UNWANTED = new Set([...HOP_BY_HOP, ...OUTDATED].map((name) => name.toLowerCase()));

/** Matches the token of RFC 9110, e.g. X-Request-Id: https://www.rfc-editor.org/rfc/rfc9110#name-tokens */
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;

/**
 * Returns the headers without those of the connection, those that `Connection` names, and outdated ones. Throws InvalidInput for anything
 * that is no header: n8n trims names, and reads an object such as `{ post: … }` as the headers of a method.
 */
function passedOn(headers: IDataObject = {}): IDataObject {
	for (const [name, value] of Object.entries(headers)) {
		const isHeader = HEADER_NAME.test(name) && [value].flat().every((each) => !isObject(each));
		if (!isHeader) throw new InvalidInput(`'${name.slice(0, 100)}' is not a header`, WRITE_HEADER);
	}
	const named = Object.entries(headers)
		.filter(([name]) => name.toLowerCase() === 'connection')
		.flatMap(([, value]) => [value].flat())
		.flatMap((value) => (typeof value === 'string' ? value.toLowerCase().split(',') : []))
		.map((name) => name.trim());
	return Object.fromEntries(
		Object.entries(headers).filter(([name]) => {
			const lower = name.toLowerCase();
			return !UNWANTED.has(lower) && !named.includes(lower);
		}),
	);
}

const WRITE_HEADER = 'Write its name without spaces, and its value as text. Nothing was sent.';
