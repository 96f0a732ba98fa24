import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

import { HttpError } from '../http/response';

export const SIGNATURE_WINDOW_MS = 5 * 60_000;

/** These times are in March 1973 and in the year 5138. A timestamp outside this range has another unit. */
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

/** Checks the parts of the signature that do not depend on the body. */
export function verifySignatureHeaders(headers: IncomingHttpHeaders, clock: number): void {
	const { timestamp, signature } = signatureOf(headers);
	verifyTimestamp(timestamp, clock);
	if (!/^[0-9a-f]{64}$/.test(signature)) {
		throw invalid('X-API-Signature must be 64 lowercase hexadecimal digits.');
	}
}

/** Checks the signature. `body` must be the bytes as received, because parsing and serializing would change them. */
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
			`The signature does not match. Expected the HMAC-SHA256 of timestamp + token + body as sent, keyed with the API secret. ${likelyCause(headers, body, { token, secret })}`,
		);
	}
}

/** Returns the likely cause of a wrong signature. Tries common mistakes, so that the developer of a client need not. */
function likelyCause(
	headers: IncomingHttpHeaders,
	body: Buffer,
	{ token, secret }: { token: string; secret: string },
): string {
	const { timestamp, signature } = signatureOf(headers);
	const text = body.toString();
	const mistakes: Array<[string, string[]]> = [
		['It was made without the body.', [timestamp, token]],
		['It was made without the token.', [timestamp, text]],
		['It was made without the timestamp.', [token, text]],
		['It was made with the percent-encoded token.', [timestamp, encodeURIComponent(token), text]],
		['It was made with dots between the parts.', [timestamp, '.', token, '.', text]],
		...serializations(text).map((serialized): [string, string[]] => [
			'It was made with the same JSON in other bytes: sign exactly the bytes that are sent.',
			[timestamp, token, serialized],
		]),
	];
	const found = mistakes.find(
		([, parts]) => createHmac('sha256', secret).update(parts.join('')).digest('hex') === signature,
	);
	return found?.[0] ?? 'The API secret is another one, or the body changed on its way.';
}

function serializations(body: string): string[] {
	try {
		const value: unknown = JSON.parse(body);
		return [undefined, 2, '\t'].map((indent) => JSON.stringify(value, null, indent));
	} catch {
		return [];
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
		const seconds = Math.round(Math.abs(clock - milliseconds) / 1000);
		throw expired(
			`X-API-Timestamp is ${Math.floor(seconds / 60)} min ${seconds % 60} s ${direction} the gateway's clock. The limit is five minutes. The Date header shows its time.`,
		);
	}
}

/** Returns both headers. Node.js joins repeated headers with a comma, so a repeated header fails the format check. */
function signatureOf(headers: IncomingHttpHeaders): { timestamp: string; signature: string } {
	return {
		timestamp: String(headers['x-api-timestamp'] ?? ''),
		signature: String(headers['x-api-signature'] ?? ''),
	};
}

/** Compares texts in constant time. Compares their digests, because timingSafeEqual requires equal lengths. */
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
