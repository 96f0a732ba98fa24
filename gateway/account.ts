import { withoutTrailingSlashes } from './baseUrl';
import { ClockSkew } from './clockSkew';
import { RateLimiter } from './rateLimiter';
import { Turns } from './turns';

/** What this process remembers about an account. All executions share it: the gateway counts their requests together. */
export class AccountState {
	readonly clockSkew = new ClockSkew();
	/** Whose turn it is to send a request. */
	readonly turns = new Turns(new RateLimiter());
}

/** The least recently used account is forgotten first. */
const MAX_ACCOUNTS = 1_000;
const accounts = new Map<string, AccountState>();

interface AccountId {
	baseUrl?: unknown;
	token?: unknown;
}

/** An account is a token at a base URL. */
export const accountKey = ({ baseUrl, token }: AccountId) =>
	`${String(token)}@${withoutTrailingSlashes(String(baseUrl))}`;

export function accountState(account: AccountId): AccountState {
	const key = accountKey(account);
	const state = accounts.get(key) ?? new AccountState();
	// Moves it to the end, because a Map keeps the order of insertion.
	accounts.delete(key);
	accounts.set(key, state);
	const [oldest] = accounts.keys();
	if (accounts.size > MAX_ACCOUNTS && oldest !== undefined) accounts.delete(oldest);
	return state;
}
