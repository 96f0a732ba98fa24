import { lastUsed } from '../lastUsed';
import { parseBaseUrl } from './baseUrl';

interface AccountId {
	baseUrl?: unknown;
	gatewayToken?: unknown;
}

/** Beyond this number, the state of the least recently used account is dropped. */
const MAX_ACCOUNTS = 1_000;

/** Returns the key of an account, a token at a base URL. It is the same for all spellings of the base URL. */
export const accountKey = ({ baseUrl, gatewayToken }: AccountId) =>
	`${String(gatewayToken).trim()}@${addressOf(String(baseUrl))}`;

const addressOf = lastUsed(MAX_ACCOUNTS, (baseUrl) => {
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
	const stateOf = lastUsed(MAX_ACCOUNTS, create);
	return (account) => stateOf(accountKey(account));
}
