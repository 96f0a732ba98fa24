import { createHmac } from 'crypto';

export const TIMESTAMP_HEADER = 'X-API-Timestamp';
export const SIGNATURE_HEADER = 'X-API-Signature';

export interface Signer {
	token: string;
	secret: string;
}

/** `body` must be the very bytes that go out. The timestamp is in milliseconds since the epoch. */
export function signatureHeaders(
	{ token, secret }: Signer,
	body: Uint8Array | string,
	timestamp: number,
): Record<string, string> {
	const signature = createHmac('sha256', secret)
		.update(`${timestamp}${token}`)
		.update(body)
		.digest('hex');
	return { [TIMESTAMP_HEADER]: String(timestamp), [SIGNATURE_HEADER]: signature };
}
