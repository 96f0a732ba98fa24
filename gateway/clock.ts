import type { Answer } from './answer';
import { clockSkewMs, mayMeanTheClock, TOLERATED_CLOCK_SKEW_MS } from './explanation';

/** An account, as executions of this process share it. */
export const accountKey = ({ baseUrl, token }: { baseUrl?: unknown; token?: unknown }) =>
	`${String(token)}@${String(baseUrl).replace(/\/+$/, '')}`;

/** The gateway's time as against this process's steady clock; undefined where the wall clock is taken for right. */
export type Clock = number | undefined;

/** Where it had to be learnt. A wall clock that is set right later makes no difference to it. */
const learnt = new Map<string, number>();

const timeBy = (clock: Clock) =>
	clock === undefined ? Date.now() : Math.round(clock + performance.now());

export function clockOf(account: string): Clock {
	const clock = learnt.get(account);
	const isNeeded = Math.abs(timeBy(clock) - Date.now()) > TOLERATED_CLOCK_SKEW_MS;
	if (!isNeeded) learnt.delete(account);
	return learnt.get(account);
}

/** What a request is to be signed with. */
export const gatewayTime = (account: string) => timeBy(clockOf(account));

/**
 * Whether a refused request is worth signing anew, because the clock it was signed with was off; from then
 * on the account's requests are signed with the gateway's time.
 */
export function learnClock(account: string, answer: Answer, signedWith: Clock): boolean {
	if (!mayMeanTheClock(answer)) return false;
	const now = timeBy(signedWith);
	const skew = clockSkewMs(answer, now);
	if (skew === undefined || Math.abs(skew) <= TOLERATED_CLOCK_SKEW_MS) return false;
	learnt.set(account, now - skew - performance.now());
	return true;
}

/** Where what was learnt turned out to be of no use: some Date headers are not the gateway's. */
export function unlearnClock(account: string, clock: Clock): void {
	if (clock === undefined) learnt.delete(account);
	else learnt.set(account, clock);
}

/** For the user, where our clock is not in use. */
export function clockHint(account: string): string | undefined {
	const offset = gatewayTime(account) - Date.now();
	if (Math.abs(offset) <= TOLERATED_CLOCK_SKEW_MS) return undefined;
	const seconds = Math.round(Math.abs(offset) / 1000);
	return `The clock of this n8n is ${seconds} s ${offset > 0 ? 'behind' : 'ahead of'} the gateway's, so requests are signed with the gateway's time. Set the clock right (NTP).`;
}
