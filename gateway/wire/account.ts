import { asNumber, InvalidInput } from '../inputValues';
import type { JsonObject } from '../json';
import { memoized } from '../memoized';
import { parseBaseUrl } from './baseUrl';

interface AccountId {
	baseUrl?: unknown;
	gatewayToken?: unknown;
}

/** Returns the key of an account, a token at a base URL. It is the same for all spellings of the base URL. */
export const accountKey = ({ baseUrl, gatewayToken }: AccountId) =>
	`${String(gatewayToken).trim()}@${addressOf(String(baseUrl))}`;

const addressOf = memoized((baseUrl) => {
	try {
		return parseBaseUrl(baseUrl).href;
	} catch {
		// The request hook reports the invalid base URL.
		return baseUrl;
	}
});

/**
 * Keeps one state per account in this process. All executions share it, because the gateway counts their requests together: scheduler,
 * signing clock, list of recipients, calls of tools.
 */
export function perAccount<State>(create: () => State): (account: AccountId) => State {
	const stateOf = memoized(create);
	return (account) => stateOf(accountKey(account));
}

/** The pace of an account, as its credential declares it, and the share of each n8n process. */
export interface Pace {
	perMinute: number;
	processes: number;
	/** A whole number: the remainder is left out, because no process knows whether another one has used it. */
	perProcess: number;
	intervalMs: number;
}

/** A second longer than a minute of the gateway, because requests take different times to get there. */
const MINUTE_MS = 61_000;

/** Returns undefined if the credential declares no pace. Throws InvalidInput. */
export function readPace({ messagesPerMinute = 0, processes = 1 }: JsonObject): Pace | undefined {
	const perMinute = asNumber(messagesPerMinute) as number;
	const count = asNumber(processes) as number;
	if (perMinute === 0) return undefined;
	const perProcess = Math.floor(perMinute / count);
	if ([perMinute, count, perProcess].every((each) => Number.isSafeInteger(each) && each > 0))
		return { perMinute, processes: count, perProcess, intervalMs: MINUTE_MS / perProcess };
	throw new InvalidInput(
		"'Messages per Minute' of the credential is not a whole number of at least 'n8n Processes That Send'",
		'Each process sends at least one message per minute. Enter 0 for no pace, or send with fewer processes, e.g. from the outbox (example 11). Nothing was sent.',
	);
}
