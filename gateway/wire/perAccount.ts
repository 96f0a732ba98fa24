import { parseBaseUrl } from './baseUrl';

interface AccountId {
	baseUrl?: unknown;
	gatewayToken?: unknown;
}

/** Returns the key of an account, a token at a base URL. It is the same for all spellings of the base URL. */
export const accountKey = ({ baseUrl, gatewayToken }: AccountId) =>
	`${String(gatewayToken).trim()}@${addressOf(baseUrl)}`;

function addressOf(baseUrl: unknown): string {
	try {
		return parseBaseUrl(baseUrl).href;
	} catch {
		// The request hook reports the invalid base URL.
		return String(baseUrl);
	}
}

/** Beyond this number, the state of the least recently used account is dropped. */
const MAX_ACCOUNTS = 1_000;

/**
 * Keeps one state per account in this process. All executions share it, because the gateway counts their requests together: scheduler,
 * signing clock, list of recipients, calls of tools.
 */
export function perAccount<State>(create: () => State): (account: AccountId) => State {
	const states = new Map<string, State>();
	return (account) => {
		const key = accountKey(account);
		const state = states.get(key) ?? create();
		// Moves the account to the end of the Map, which keeps the order of insertion, so the first one is the least recently used.
		states.delete(key);
		states.set(key, state);
		const [oldest] = states.keys();
		if (states.size > MAX_ACCOUNTS && oldest !== undefined) states.delete(oldest);
		return state;
	};
}
