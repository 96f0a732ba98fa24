import type { Answer } from './answer';

/**
 * Whether a message that was refused may be sent again: `safe` (it was not taken), `unknown` (it may
 * have been, so only with an idempotency key), `never` (it would be refused again).
 */
export type Repeat = 'safe' | 'unknown' | 'never';

export const asksForSlowerPace = ({ status }: Answer) => status === 429;

export function repeatOf(answer: Answer, now: number): Repeat {
	if (asksForSlowerPace(answer)) return 'safe';
	if (answer.status < 500) return 'never';
	const isClosedForNow = answer.status === 503 && askedWaitMs(answer, now) !== undefined;
	return isClosedForNow ? 'safe' : 'unknown';
}

/** What Retry-After asks for, in either of its forms. A date is meant by the gateway's own clock. */
export function askedWaitMs({ headers }: Answer, now: number): number | undefined {
	const asked = headers['retry-after']?.trim() ?? '';
	if (/^\d+(\.\d+)?$/.test(asked)) return Number(asked) * 1000;
	const date = Date.parse(asked);
	if (Number.isNaN(date) || !/[a-z]/i.test(asked)) return undefined;
	const gatewayTime = Date.parse(headers.date ?? '');
	return Math.max(0, date - (Number.isNaN(gatewayTime) ? now : gatewayTime));
}
