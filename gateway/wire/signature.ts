import { createHmac } from 'crypto';

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
