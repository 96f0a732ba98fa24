import { type Answer, refusal } from './answer';
import { clockSkewMs, TOLERATED_CLOCK_SKEW_MS } from './explanation';

/** An account, as executions of this process share it. */
export const accountKey = ({ baseUrl, token }: { baseUrl?: unknown; token?: unknown }) =>
	`${String(token)}@${String(baseUrl)}`;

/** How far the gateway's clock is ahead of ours, for the accounts where that had to be learnt. */
const offsets = new Map<string, number>();

export const clockOffsetMs = (account: string) => offsets.get(account) ?? 0;

/** Codes of gateways that may mean the time; the others of a 401 say what else is wrong. */
const MAY_MEAN_THE_CLOCK = [undefined, 'signature_expired', 'unauthorized'];

/**
 * Whether a refused request is worth signing anew, because our clock was off; from then on the account's
 * requests are signed with the gateway's time. `offsetMs` is what the request was signed with.
 */
export function learnClock(
	account: string,
	answer: Answer,
	offsetMs: number,
	now: number,
): boolean {
	const code = refusal(answer.data).code?.toLowerCase();
	if (answer.status !== 401 || !MAY_MEAN_THE_CLOCK.includes(code)) return false;
	const skew = clockSkewMs(answer, now + offsetMs);
	if (skew === undefined || Math.abs(skew) <= TOLERATED_CLOCK_SKEW_MS) return false;
	offsets.set(account, offsetMs - skew);
	return true;
}

/** For the user, where the offset is in use. */
export function clockHint(account: string): string | undefined {
	const offset = clockOffsetMs(account);
	if (Math.abs(offset) <= TOLERATED_CLOCK_SKEW_MS) return undefined;
	const seconds = Math.round(Math.abs(offset) / 1000);
	return `The clock of this n8n is ${seconds} s ${offset > 0 ? 'behind' : 'ahead of'} the gateway's, so requests are signed with the gateway's time. Set the clock right (NTP).`;
}
