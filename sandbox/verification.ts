import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

import { Refusal } from './answer';

export const SIGNATURE_WINDOW_MS = 5 * 60_000;

/** In milliseconds these are March 1973 and the year 5138: no clock in use is outside of them. */
const EARLIEST_MILLISECONDS = 1e11;
const LATEST_MILLISECONDS = 1e14;

export interface SignedRequest {
	headers: IncomingHttpHeaders;
	/** The bytes as received: parsed and written again they would no longer match. */
	body: Buffer;
	clock: number;
}

export function verifyToken(given: string | undefined, token: string): void {
	if (given === undefined || !sameText(given, token)) {
		throw new Refusal(401, 'invalid_token', 'The token in the URL is not the token of an account.');
	}
}

export function carriesSignature(headers: IncomingHttpHeaders): boolean {
	return Boolean(headers['x-api-timestamp'] ?? headers['x-api-signature']);
}

export function verifySignature(request: SignedRequest, token: string, secret: string): void {
	const timestamp = headerOf(request.headers, 'x-api-timestamp');
	const signature = headerOf(request.headers, 'x-api-signature');
	if (!timestamp && !signature) {
		throw new Refusal(
			401,
			'missing_auth_headers',
			'This endpoint needs the headers X-API-Timestamp and X-API-Signature.',
		);
	}
	if (!signature) {
		throw new Refusal(401, 'missing_signature', 'The header X-API-Signature is missing.');
	}
	if (!timestamp) {
		throw new Refusal(401, 'missing_auth_headers', 'The header X-API-Timestamp is missing.');
	}
	verifyTimestamp(timestamp, request.clock);
	if (!/^[0-9a-f]{64}$/.test(signature)) {
		throw invalid('X-API-Signature must be 64 lowercase hexadecimal digits.');
	}

	const expected = createHmac('sha256', secret)
		.update(timestamp)
		.update(token)
		.update(request.body)
		.digest();
	if (!timingSafeEqual(expected, Buffer.from(signature, 'hex'))) {
		throw invalid(
			'The signature does not match. It is the HMAC-SHA256, keyed with the API secret, of timestamp + token + the body exactly as sent.',
		);
	}
}

function verifyTimestamp(timestamp: string, clock: number): void {
	if (!/^[1-9][0-9]{0,19}$/.test(timestamp)) {
		throw invalid('X-API-Timestamp must be the time in milliseconds, written in decimal digits.');
	}
	const milliseconds = Number(timestamp);
	if (milliseconds < EARLIEST_MILLISECONDS) {
		throw expired('X-API-Timestamp looks like seconds: milliseconds are wanted.');
	}
	if (milliseconds > LATEST_MILLISECONDS) {
		throw expired('X-API-Timestamp looks like microseconds or finer: milliseconds are wanted.');
	}
	if (Math.abs(clock - milliseconds) > SIGNATURE_WINDOW_MS) {
		const direction = milliseconds < clock ? 'behind' : 'ahead of';
		throw expired(
			`X-API-Timestamp is more than five minutes ${direction} this gateway's clock (see its Date header).`,
		);
	}
}

/** Node joins repeated headers with a comma: such a value then fails its format check, as it should. */
function headerOf(headers: IncomingHttpHeaders, name: string): string {
	return String(headers[name] ?? '');
}

/** Comparing digests takes the same time whatever the lengths, and timingSafeEqual wants equal ones. */
function sameText(a: string, b: string): boolean {
	const digest = (text: string) => createHash('sha256').update(text).digest();
	return timingSafeEqual(digest(a), digest(b));
}

function invalid(message: string): Refusal {
	return new Refusal(401, 'invalid_signature', message);
}

function expired(message: string): Refusal {
	return new Refusal(401, 'signature_expired', message);
}
