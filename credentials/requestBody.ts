import type { IDataObject } from 'n8n-workflow';

import { InvalidInput } from '../gateway/invalidInput';
import { type HookRequest, withoutHeaders } from './request';

export interface BodyToSend {
	/** Bytes, or the text of a form; absent where nothing goes on the wire. */
	body?: Buffer | string;
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
	if (formData !== undefined || type?.startsWith('multipart/') || isStream(body)) {
		throw new InvalidInput(
			'A file or a multipart form cannot be signed, and was not sent',
			'The gateway takes files inside JSON: use Message > Send Media of the Messaging Gateway node, or send JSON with the file as base64.',
		);
	}
	if (isNothing(body, request)) return { headers: framed(request.headers) };

	// axios would take bytes under this type apart; text it lets through as it is.
	if (type === FORM || body === form || body instanceof URLSearchParams) {
		const text =
			typeof body === 'string' ? body : Buffer.isBuffer(body) ? body.toString() : formText(body);
		return { body: text, headers: framed(request.headers, FORM) };
	}
	return { body: toBytes(body), headers: framed(request.headers, 'application/json') };
}

function toBytes(body: unknown): Buffer {
	if (body instanceof Uint8Array) return Buffer.isBuffer(body) ? body : Buffer.from(body);
	return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

/** Without a word, n8n sends nothing for an empty object; in an HTTP Request node somebody wrote those braces. */
function isNothing(body: unknown, request: HookRequest): boolean {
	if (body === undefined || body === null || body === '') return true;
	if (body instanceof Uint8Array) return body.length === 0;
	const isPlain = typeof body === 'object' && !(body instanceof URLSearchParams);
	return isPlain && Object.keys(body).length === 0 && request.uri === undefined;
}

function isStream(body: unknown): boolean {
	return typeof body === 'object' && body !== null && 'pipe' in body;
}

function contentType(headers: IDataObject = {}): string | undefined {
	const name = Object.keys(headers).find((key) => key.toLowerCase() === 'content-type');
	const value = name && headers[name];
	return typeof value === 'string' ? value.trim().toLowerCase() : undefined;
}

/** The type where none is set; and no length or coding that was meant for another form of the body. */
function framed(headers: IDataObject = {}, type?: string): IDataObject {
	const kept = withoutHeaders(['content-length', 'transfer-encoding'], headers);
	if (type === undefined || contentType(kept) !== undefined) return kept;
	return { ...kept, 'Content-Type': type };
}

const isScalar = (value: unknown) =>
	['string', 'number', 'boolean', 'bigint'].includes(typeof value);

/** Nested values in brackets, as n8n writes them itself: a[b]=1&a[c][0]=2 */
function formText(fields: unknown): string {
	if (fields instanceof URLSearchParams) return fields.toString();
	const form = new URLSearchParams();
	const add = (name: string, value: unknown) => {
		if (typeof value === 'object' && value !== null) {
			for (const [key, member] of Object.entries(value)) add(`${name}[${key}]`, member);
		} else {
			form.append(name, isScalar(value) ? String(value) : '');
		}
	};
	for (const [name, value] of Object.entries(fields as object)) add(name, value);
	return form.toString();
}
