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
 * No other credential has fields with these names. n8n tests stored credentials as any type that the user names, with the fields whose
 * names that type has, so it would send a field named `token` to the server of that type.
 */
interface Secrets {
	gatewayToken?: unknown;
	gatewaySecret?: unknown;
}

/** Returns token and secret without the spaces that copying adds. Throws InvalidInput if they cannot be part of a request. */
export function checkedSecrets({ gatewayToken, gatewaySecret }: Secrets): {
	token: string;
	secret: string;
} {
	const checked = {
		token: checkedText(gatewayToken, 'Token'),
		secret: checkedText(gatewaySecret, 'Secret'),
	};
	// In a URL, such a token would lead to another path, even if it is encoded.
	if (hasDotSegment(checked.token)) {
		throw new InvalidInput("'Token' of the credential is not a token", WHAT_TO_DO);
	}
	return checked;
}

type AccountId = Pick<Secrets, 'gatewayToken'> & { baseUrl?: unknown };

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

/** Keeps one state per account in this process. All executions share it, because the gateway counts their requests together. */
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
