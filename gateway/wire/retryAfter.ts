import type { GatewayResponse } from './response';

/** Headers that say when a limit ends: in seconds from now, or in seconds or milliseconds since the epoch. */
export const LIMIT_RESETS = ['x-ratelimit-retry-after', 'ratelimit-reset', 'x-ratelimit-reset'];

/** Returns the wait in Retry-After, which is in seconds or a date. A date is compared with the gateway's own clock, if that is known. */
export function retryAfterMs({ headers }: GatewayResponse, receivedAt: number): number | undefined {
	const value = headers['retry-after']?.trim() ?? '';
	if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
	const date = Date.parse(value);
	if (Number.isNaN(date) || !/[a-z]/i.test(value)) return undefined;
	return Math.max(0, date - timeOfResponse(headers, receivedAt));
}

function timeOfResponse(headers: GatewayResponse['headers'], receivedAt: number): number {
	const time = Date.parse(headers.date ?? '');
	return Number.isNaN(time) ? receivedAt : time;
}

/** Numbers from here on are seconds, or milliseconds, since the epoch. As a duration, they would be thirty years. */
const EPOCH_SECONDS = 1e9;
const EPOCH_MS = 1e12;

/** Returns the wait until a limit ends, for gateways without Retry-After. In a response other than a 429, the headers ask for no wait. */
export function limitResetMs({ headers }: GatewayResponse, receivedAt: number): number | undefined {
	const value = LIMIT_RESETS.map((name) => headers[name]?.trim() ?? '').find((text) =>
		/^\d{1,15}(\.\d{1,9})?$/.test(text),
	);
	if (value === undefined) return undefined;
	const number = Number(value);
	if (number < EPOCH_SECONDS) return number * 1000;
	const time = number < EPOCH_MS ? number * 1000 : number;
	return Math.max(0, time - timeOfResponse(headers, receivedAt));
}
