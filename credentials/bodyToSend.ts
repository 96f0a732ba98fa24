import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { InvalidInput } from '../gateway/invalidInput';
import { isObject } from '../gateway/json';

/** n8n's request options. HTTP Request nodes still pass the older form, with `uri`. */
export type UnsignedRequest = Omit<IHttpRequestOptions, 'url'> & {
	url?: string;
	uri?: string;
	form?: unknown;
	formData?: unknown;
};

interface BodyToSend {
	/** The exact bytes to send; absent if there is no body. */
	body?: Buffer;
	/** Absent if that of the request stays. */
	contentType?: string;
}

const FORM = 'application/x-www-form-urlencoded';

/** Converts every form of body into the bytes to send, so that exactly these can be signed. */
export function bodyToSend(request: UnsignedRequest): BodyToSend {
	const { form, formData, method = 'GET' } = request;
	// n8n sends no body with a GET, except for HTTP Request nodes, which use `uri`.
	const hasNoBody = request.uri === undefined && ['GET', 'HEAD', 'OPTIONS'].includes(method);
	const body: unknown = hasNoBody ? undefined : (request.body ?? form);
	const declared = contentTypeOf(request.headers);
	if (formData !== undefined || declared?.startsWith('multipart/') || isStreamed(body)) {
		throw new InvalidInput(
			'A file or a multipart form cannot be signed, and was not sent',
			'The gateway accepts files within JSON: use Message > Send Media of the Messaging Gateway node, or send JSON with the file as base64.',
		);
	}
	const isForm =
		declared?.startsWith(FORM) ||
		(form !== undefined && body === form) ||
		body instanceof URLSearchParams;
	const all = isEmpty(body, request) ? undefined : bytesOf(body, isForm);
	const bytes = all?.length ? all : undefined;
	const type = declared ?? (bytes && (isForm ? FORM : 'application/json'));
	// With exactly this type n8n serialises the bytes again; with a charset it does not.
	if (type === FORM) return { body: bytes, contentType: `${FORM}; charset=utf-8` };
	return { body: bytes, contentType: declared === undefined ? type : undefined };
}

function bytesOf(body: unknown, isForm: boolean): Buffer {
	if (Buffer.isBuffer(body)) return body;
	if (ArrayBuffer.isView(body)) return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
	if (body instanceof ArrayBuffer) return Buffer.from(body);
	if (typeof body === 'string') return Buffer.from(body);
	if (body instanceof URLSearchParams) return Buffer.from(body.toString());
	return Buffer.from(isForm ? formText(body as object) : (JSON.stringify(body) ?? ''));
}

/** n8n sends no body for an empty object, except in an HTTP Request node, where the user wrote the braces. */
function isEmpty(body: unknown, request: UnsignedRequest): boolean {
	if (body === undefined || body === null) return true;
	const isCollection = isObject(body) || Array.isArray(body);
	return isCollection && Object.keys(body).length === 0 && request.uri === undefined;
}

function isStreamed(body: unknown): boolean {
	if (typeof body !== 'object' || body === null) return false;
	return (
		'pipe' in body ||
		/\[object (FormData|Blob|File|ReadableStream)\]/.test(Object.prototype.toString.call(body))
	);
}

function contentTypeOf(headers: IDataObject = {}): string | undefined {
	const name = Object.keys(headers).find((key) => key.toLowerCase() === 'content-type');
	const value = name && headers[name];
	return typeof value === 'string' ? value.trim().toLowerCase() : undefined;
}

const isScalar = (value: unknown) =>
	['string', 'number', 'boolean', 'bigint'].includes(typeof value);

/** Nested values in brackets, as n8n writes them: a[b]=1&a[c][0]=2 */
function formText(fields: object): string {
	const form = new URLSearchParams();
	const add = (name: string, value: unknown) => {
		if (typeof value === 'object' && value !== null) {
			for (const [key, member] of Object.entries(value)) add(`${name}[${key}]`, member);
		} else {
			form.append(name, isScalar(value) ? String(value) : '');
		}
	};
	for (const [name, value] of Object.entries(fields)) add(name, value);
	return form.toString();
}
