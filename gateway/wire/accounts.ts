import { parseBaseUrl } from './baseUrl';
import { checkLength } from '../inputValues';
import { InvalidInput } from '../invalidInput';
import { hasDotSegment } from '../percentDecoded';

const WHAT_TO_DO =
	"Copy it from the gateway's console into the credential. If it is an expression, check that it returns text for this item.";

function checkedText(value: unknown, label: string): string {
	const name = `'${label}' of the credential`;
	if (value !== undefined && value !== null && typeof value !== 'string') {
		throw new InvalidInput(`${name} is not text but of type ${typeof value}`, WHAT_TO_DO);
	}
	checkLength(value ?? '', name);
	const text = value?.trim();
	if (text) return text;
	throw new InvalidInput(`${name} is empty`, WHAT_TO_DO);
}

/**
 * The names of the fields are those of no other credential: n8n's test of a credential tests the stored data as any type that the
 * user names, with the fields whose names that type has, and would send a field named `token` to the server of that type.
 */
export interface Secrets {
	gatewayToken?: unknown;
	gatewaySecret?: unknown;
}

/** Checks token and secret before they become part of a request. Spaces around them come from copying. */
export function checkedSecrets({ gatewayToken, gatewaySecret }: Secrets): {
	token: string;
	secret: string;
} {
	const checked = {
		token: checkedText(gatewayToken, 'Token'),
		secret: checkedText(gatewaySecret, 'Secret'),
	};
	// In a URL it would lead to another path, even if it is encoded.
	if (hasDotSegment(checked.token)) {
		throw new InvalidInput("'Token' of the credential is not a token", WHAT_TO_DO);
	}
	return checked;
}

type AccountId = Pick<Secrets, 'gatewayToken'> & { baseUrl?: unknown };

/** An account is a token at a base URL, however that is written. */
export const accountKey = ({ baseUrl, gatewayToken }: AccountId) =>
	`${String(gatewayToken).trim()}@${addressOf(baseUrl)}`;

function addressOf(baseUrl: unknown): string {
	try {
		return parseBaseUrl(baseUrl).href;
	} catch {
		// The request hook reports it.
		return String(baseUrl);
	}
}

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
