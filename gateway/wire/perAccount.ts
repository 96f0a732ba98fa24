import { withoutTrailingSlashes } from './baseUrl';

interface AccountId {
	baseUrl?: unknown;
	token?: unknown;
}

/** An account is a token at a base URL. */
export const accountKey = ({ baseUrl, token }: AccountId) =>
	`${String(token).trim()}@${withoutTrailingSlashes(String(baseUrl))}`;

/** The least recently used account is forgotten first. */
const MAX_ACCOUNTS = 1_000;

/** What this process remembers about each account. All executions share it: the gateway counts their requests together. */
export function perAccount<State>(create: () => State): (account: AccountId) => State {
	const states = new Map<string, State>();
	return (account) => {
		const key = accountKey(account);
		const state = states.get(key) ?? create();
		// Moves it to the end, because a Map keeps the order of insertion.
		states.delete(key);
		states.set(key, state);
		const [oldest] = states.keys();
		if (states.size > MAX_ACCOUNTS && oldest !== undefined) states.delete(oldest);
		return state;
	};
}
