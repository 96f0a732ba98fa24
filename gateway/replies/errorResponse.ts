import { find, NAMES, textOf } from './dialect';
import type { GatewayResponse } from '../wire/response';

/** The `error` code and the `message` of a response body, wherever the gateway put them. */
export function gatewayError(data: unknown): { code?: string; message?: string } {
	const places = [...find(data, NAMES.errors).map(({ value }) => value), data];
	const textUnder = (names: string[]) =>
		places
			.flatMap((place) => names.flatMap((name) => find(place, [name], { everyEntry: true })))
			.map(({ value }) => textOf(value))
			.find((text) => text !== '');
	return { code: textUnder(NAMES.codes), message: textUnder(NAMES.messages) };
}

/** The codes of the API document. */
const CODES =
	`missing_auth_headers missing_signature invalid_token token_inactive token_expired token_deleted
	unauthorized invalid_signature signature_expired insufficient_balance ip_not_allowed no_api_access
	payg_confirm_required validation_error already_exists invalid_json invalid_amount_format test_message_failed
	rate_limit_exceeded`.split(/\s+/);

/** Other gateways' codes for a session that is offline. */
export const OFFLINE_CODE = /offline|not_online|not_connected|disconnected|auth_failure/;

/** The code is in lower case. */
export const isDocumentedCode = (code: string) => CODES.includes(code);

/** The code in lower case, for comparisons; empty if there is none. */
export const errorCode = ({ data }: GatewayResponse) =>
	gatewayError(data).code?.toLowerCase() ?? '';
