import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

import { HttpError } from './response';

export const SIGNATURE_WINDOW_MS = 5 * 60_000;

/** March 1973 and the year 5138: a timestamp outside this range is in another unit. */
const MIN_MILLISECONDS = 1e11;
const MAX_MILLISECONDS = 1e14;

export function verifyToken(given: string | undefined, token: string): void {
	if (given === undefined || !isSameText(given, token)) {
		throw new HttpError(401, 'invalid_token', 'The token in the URL is not valid.');
	}
}

export function hasSignature(headers: IncomingHttpHeaders): boolean {
	return Boolean(headers['x-api-timestamp'] ?? headers['x-api-signature']);
}

export function requireSignature(headers: IncomingHttpHeaders): void {
	const { timestamp, signature } = signatureOf(headers);
	if (!timestamp && !signature) {
		throw new HttpError(
			401,
			'missing_auth_headers',
			'This endpoint requires the headers X-API-Timestamp and X-API-Signature.',
		);
	}
	if (!signature) {
		throw new HttpError(401, 'missing_signature', 'The header X-API-Signature is missing.');
	}
	if (!timestamp) {
		throw new HttpError(401, 'missing_auth_headers', 'The header X-API-Timestamp is missing.');
	}
}

/** Everything about the signature that does not depend on the body. */
export function verifySignatureHeaders(headers: IncomingHttpHeaders, clock: number): void {
	const { timestamp, signature } = signatureOf(headers);
	verifyTimestamp(timestamp, clock);
	if (!/^[0-9a-f]{64}$/.test(signature)) {
		throw invalid('X-API-Signature must be 64 lowercase hexadecimal digits.');
	}
}

/** `body`: the bytes as received. Parsing and serializing again would change them. */
export function verifySignature(
	headers: IncomingHttpHeaders,
	body: Buffer,
	{ token, secret }: { token: string; secret: string },
): void {
	const { timestamp, signature } = signatureOf(headers);
	const expected = createHmac('sha256', secret)
		.update(timestamp)
		.update(token)
		.update(body)
		.digest();
	if (!timingSafeEqual(expected, Buffer.from(signature, 'hex'))) {
		throw invalid(
			'The signature does not match. Expected the HMAC-SHA256 of timestamp + token + body as sent, keyed with the API secret.',
		);
	}
}

function verifyTimestamp(timestamp: string, clock: number): void {
	if (!/^[1-9][0-9]{0,19}$/.test(timestamp)) {
		throw invalid('X-API-Timestamp must be the Unix time in milliseconds, in decimal digits.');
	}
	const milliseconds = Number(timestamp);
	if (milliseconds < MIN_MILLISECONDS) {
		throw expired('X-API-Timestamp looks like seconds. Send milliseconds.');
	}
	if (milliseconds > MAX_MILLISECONDS) {
		throw expired('X-API-Timestamp looks like microseconds or nanoseconds. Send milliseconds.');
	}
	if (Math.abs(clock - milliseconds) > SIGNATURE_WINDOW_MS) {
		const direction = milliseconds < clock ? 'behind' : 'ahead of';
		throw expired(
			`X-API-Timestamp is more than five minutes ${direction} the gateway's clock. The Date header shows its time.`,
		);
	}
}

/** Node joins repeated headers with a comma, so a repeated header fails the format check. */
function signatureOf(headers: IncomingHttpHeaders): { timestamp: string; signature: string } {
	return {
		timestamp: String(headers['x-api-timestamp'] ?? ''),
		signature: String(headers['x-api-signature'] ?? ''),
	};
}

/** Compares digests, because timingSafeEqual requires equal lengths. */
export function isSameText(a: string, b: string): boolean {
	const digest = (text: string) => createHash('sha256').update(text).digest();
	return timingSafeEqual(digest(a), digest(b));
}

function invalid(message: string): HttpError {
	return new HttpError(401, 'invalid_signature', message);
}

function expired(message: string): HttpError {
	return new HttpError(401, 'signature_expired', message);
}
