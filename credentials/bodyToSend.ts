import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { InvalidInput } from '../gateway/invalidInput';
import { isObject } from '../gateway/json';

/** n8n's request options before the request hook. HTTP Request nodes still pass the older form, with `uri` in place of `url`. */
export type UnsignedRequest = Omit<IHttpRequestOptions, 'url'> & {
	url?: string;
	uri?: string;
	form?: unknown;
	formData?: unknown;
};

/** Matches a form type anywhere in the header's value, because n8n also searches the whole value for it. */
const FORM_TYPE = /multipart\/|application\/x-www-form-urlencoded/i;

/** Returns the exact bytes to sign and send, and a Content-Type header if the request has none. */
export function bodyToSend(request: UnsignedRequest): { body?: Buffer; headers?: IDataObject } {
	const { form, formData, method = 'GET' } = request;
	// n8n sends a body with these methods only for HTTP Request nodes, which use `uri`.
	const hasNoBody = request.uri === undefined && ['GET', 'HEAD', 'OPTIONS'].includes(method);
	const body: unknown = hasNoBody ? undefined : request.body;
	const declared = contentTypeOf(request.headers);
	if ((form ?? formData) !== undefined || FORM_TYPE.test(declared ?? '') || isFormOrFile(body)) {
		throw new InvalidInput(
			'A form or a file cannot be signed, and was not sent',
			"The gateway accepts JSON: choose it as 'Body Content Type', with a file as base64. Or use Message > Send Media of the Messaging Gateway node.",
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
