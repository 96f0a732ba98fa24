import { isObject } from './json';
import { type GatewayResponse, isWebPage, textOf } from './response';

/** The `error` code and the `message` of a response body, wherever the gateway put them. */
export function gatewayError(data: unknown): { code?: string; message?: string } {
	if (!isObject(data)) return {};
	const nested = isObject(data.error) ? data.error : undefined;
	const code =
		textOf(nested?.code) ?? textOf(nested?.error) ?? textOf(data.error) ?? textOf(data.code);
	const message =
		textOf(nested?.message) ??
		textOf(data.message) ??
		textOf(data.detail) ??
		textOf(data.description) ??
		textOf(data.reason);
	return { code, message };
}

/** The code in lower case, for comparisons; empty if there is none. */
export const errorCode = ({ data }: GatewayResponse) =>
	gatewayError(data).code?.toLowerCase() ?? '';

/** Fields that may accompany an error code in a body with status 2xx without being the payload. */
const ERROR_BODY_FIELDS = [
	'error',
	'code',
	'message',
	'details',
	'success',
	'ok',
	'statusCode',
	'timestamp',
	'path',
	'requestId',
];

/**
 * Whether the gateway rejected the request: by the status, or by a body that contradicts a status 2xx. A web page is
 * from something else that answers at this address.
 */
export function isRejected(response: GatewayResponse): boolean {
	const { status, data } = response;
	if (status < 200 || status >= 300 || isWebPage(response)) return true;
	if (!isObject(data)) return false;
	if (data.success === false || data.ok === false || data.error === true) return true;
	const hasError =
		textOf(data.error) !== undefined ||
		(isObject(data.error) && Object.keys(data.error).length > 0);
	return (
		hasError &&
		gatewayError(data).code !== undefined &&
		Object.keys(data).every((name) => ERROR_BODY_FIELDS.includes(name))
	);
}
