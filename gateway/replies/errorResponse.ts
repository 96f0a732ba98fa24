import { isObject } from '../json';
import { type GatewayResponse, textOf } from './response';

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
