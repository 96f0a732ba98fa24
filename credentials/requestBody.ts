import type { IDataObject } from 'n8n-workflow';

import { InvalidInput } from '../gateway/invalidInput';
import { isPlainObject } from '../gateway/json';
import { type HookRequest, withoutHeaders } from './request';

export interface BodyToSend {
	/** The very bytes; absent where nothing goes on the wire. */
	body?: Buffer;
	headers: IDataObject;
}

const FORM = 'application/x-www-form-urlencoded';

/** Turns whatever n8n was going to serialise into what goes on the wire, so that just that can be signed. */
export function bodyToSend(request: HookRequest): BodyToSend {
	const { form, formData, method = 'GET' } = request;
	// n8n's own requests never carry a body on a GET; those of HTTP Request nodes (with `uri`) do.
	const hasNoBody = request.uri === undefined && ['GET', 'HEAD', 'OPTIONS'].includes(method);
	const body: unknown = hasNoBody ? undefined : (request.body ?? form);
	const type = contentType(request.headers);
	if (formData !== undefined || type?.startsWith('multipart/') || isStreamed(body)) {
		throw new InvalidInput(
			'A file or a multipart form cannot be signed, and was not sent',
			'The gateway takes files inside JSON: use Message > Send Media of the Messaging Gateway node, or send JSON with the file as base64.',
		);
	}
	const isForm =
		type?.startsWith(FORM) ||
		(form !== undefined && body === form) ||
		body instanceof URLSearchParams;
	const bytes = isNothing(body, request) ? undefined : bytesOf(body, isForm);
	if (!bytes?.length) return { headers: framed(request.headers) };
	return { body: bytes, headers: framed(request.headers, isForm ? FORM : 'application/json') };
}

function bytesOf(body: unknown, isForm: boolean): Buffer {
	if (Buffer.isBuffer(body)) return body;
	if (ArrayBuffer.isView(body)) return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
	if (body instanceof ArrayBuffer) return Buffer.from(body);
	if (typeof body === 'string') return Buffer.from(body);
	if (body instanceof URLSearchParams) return Buffer.from(body.toString());
	return Buffer.from(isForm ? formText(body as object) : (JSON.stringify(body) ?? ''));
}

/** Without a word, n8n sends nothing for an empty object; in an HTTP Request node somebody wrote those braces. */
function isNothing(body: unknown, request: HookRequest): boolean {
	if (body === undefined || body === null) return true;
	const isWritten = isPlainObject(body) || Array.isArray(body);
	return isWritten && Object.keys(body).length === 0 && request.uri === undefined;
}

function isStreamed(body: unknown): boolean {
	if (typeof body !== 'object' || body === null) return false;
	return (
		'pipe' in body ||
		/\[object (FormData|Blob|File|ReadableStream)\]/.test(Object.prototype.toString.call(body))
	);
}

function contentType(headers: IDataObject = {}): string | undefined {
	const name = Object.keys(headers).find((key) => key.toLowerCase() === 'content-type');
	const value = name && headers[name];
	return typeof value === 'string' ? value.trim().toLowerCase() : undefined;
}

/** The type where none is set; and no length or coding that was meant for another form of the body. */
function framed(headers: IDataObject = {}, type?: string): IDataObject {
	const kept = withoutHeaders(['content-length', 'transfer-encoding'], headers);
	const set = contentType(kept) ?? type;
	if (set === undefined) return kept;
	// Under this very type n8n takes bytes for an object and writes them anew; with a charset it lets them be.
	if (set !== FORM)
		return contentType(kept) === undefined ? { ...kept, 'Content-Type': set } : kept;
	return { ...withoutHeaders(['content-type'], kept), 'Content-Type': `${FORM}; charset=utf-8` };
}

const isScalar = (value: unknown) =>
	['string', 'number', 'boolean', 'bigint'].includes(typeof value);

/** Nested values in brackets, as n8n writes them itself: a[b]=1&a[c][0]=2 */
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
