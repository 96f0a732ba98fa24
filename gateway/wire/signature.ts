import { createHmac } from 'crypto';

import { checkLength, InvalidInput } from '../inputValues';
import { hasDotSegment } from '../decoding';

export const TIMESTAMP_HEADER = 'X-API-Timestamp';
export const SIGNATURE_HEADER = 'X-API-Signature';

/** Returns the headers that sign a request. `body` must be the exact bytes to send, and `timestamp` is in milliseconds since the epoch. */
export function signatureHeaders(
	{ token, secret }: { token: string; secret: string },
	body: Uint8Array | string,
	timestamp: number,
): Record<string, string> {
	const signature = createHmac('sha256', secret)
		.update(`${timestamp}${token}`)
		.update(body)
		.digest('hex');
	return { [TIMESTAMP_HEADER]: String(timestamp), [SIGNATURE_HEADER]: signature };
}

const WHAT_TO_DO =
	"Copy it from the gateway's console into the credential. If it is an expression, check that it returns text for this item.";

function checkedText(value: unknown, label: string): string {
	const name = `'${label}' of the credential`;
	if (value !== undefined && value !== null && typeof value !== 'string') {
		throw new InvalidInput(`${name} is not text but of type ${typeof value}`, WHAT_TO_DO);
	}
	checkLength(value ?? '', name);
	const text = value?.trim();
	if (text) return text;
	throw new InvalidInput(`${name} is empty`, WHAT_TO_DO);
}

/**
 * No other credential has fields with these names. n8n tests stored credentials as any type that the user names, with the fields whose
 * names that type has, so it would send a field named `token` to the server of that type.
 */
interface Secrets {
	gatewayToken?: unknown;
	gatewaySecret?: unknown;
}

/** Returns token and secret without the spaces that copying adds. Throws InvalidInput if they cannot be part of a request. */
export function checkedSecrets({ gatewayToken, gatewaySecret }: Secrets): {
	token: string;
	secret: string;
} {
	const checked = {
		token: checkedText(gatewayToken, 'Token'),
		secret: checkedText(gatewaySecret, 'Secret'),
	};
	// In a URL, such a token would lead to another path, even if it is encoded.
	if (hasDotSegment(checked.token)) {
		throw new InvalidInput("'Token' of the credential is not a token", WHAT_TO_DO);
	}
	return checked;
}
