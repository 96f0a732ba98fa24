import { tokenIn, TOKEN_PLACEHOLDER } from './endpoints';
import { checkLength, InvalidInput } from '../inputValues';
import { memoized } from '../memoized';
import { hasDotSegment } from '../decoding';

const EXAMPLE =
	'Enter the address that comes before /api/whatsapp, e.g. https://gateway.example.com';
const ABSOLUTE = /^([a-z][a-z\d+\-.]*:)?\/\//i; // e.g. https://host or //host

/** The order matters: the first problem that applies is reported, and later checks rely on earlier ones. */
const PROBLEMS: Array<[(entered: string) => boolean, string]> = [
	[(entered) => entered === '', 'is empty'],
	[(entered) => !/^https?:\/\//i.test(entered), 'does not start with https:// or http://'],
	[(entered) => !URL.canParse(entered), 'is not a URL'],
	[(entered) => new URL(entered).host.includes(TOKEN_PLACEHOLDER), 'has the token in its host'],
	[(entered) => /[?#]/.test(entered), 'has a query or a fragment'],
];

/** Returns the URL that all requests of the account start with, without trailing slashes in its path. */
export function parseBaseUrl(text: unknown): URL {
	const entered = typeof text === 'string' ? text.trim() : '';
	checkLength(entered, "'Base URL' of the credential");
	const [, problem] = PROBLEMS.find(([applies]) => applies(entered)) ?? [];
	if (problem) throw new InvalidInput(`'Base URL' of the credential ${problem}`, EXAMPLE);
	const url = new URL(entered);
	// Users also paste the full address of an endpoint, so its end is removed.
	url.pathname = withoutTrailingSlashes(url.pathname.replace(/\/api\/whatsapp(\/[^]*)?$/, ''));
	return url;
}

/** The lookbehind prevents quadratic time: without it, the expression would try each slash as the first one. */
const withoutTrailingSlashes = (text: string) => text.replace(/(?<!\/)\/+$/, '');

/** Joins two URLs as axios does, so that n8n sends the URL that is signed. `new URL(path, base)` would drop the path of the base. */
function join(base: string, path: string): string {
	if (ABSOLUTE.test(path)) return path;
	return path ? `${withoutTrailingSlashes(base)}/${path.replace(/^\/+/, '')}` : base;
}

export interface Target {
	url: URL;
	pathBelowBaseUrl: string;
}

const targetOf = memoized((key) =>
	resolved(...(JSON.parse(key) as [string, string, string, string])),
);

/** Returns the URL of a request, with the token filled in. Throws InvalidInput if it is not below the base URL. */
export const resolveTarget = (
	baseUrl: unknown,
	token: string,
	{ baseURL = '', url = '' }: { baseURL?: string; url?: string },
): Readonly<Target> =>
	targetOf(JSON.stringify([typeof baseUrl === 'string' ? baseUrl : '', token, baseURL, url]));

function resolved(baseUrl: string, token: string, baseURL: string, path: string): Target {
	const base = parseBaseUrl(baseUrl);
	const joined = join(baseURL.trim() || base.href, path.trim());
	// The first check is before the token is filled in, because a DNS lookup of a host with the token in its name would leak it.
	// The second check is of the URL that is sent.
	urlBelow(base, joined);
	const [address = ''] = joined.split(/[?#]/);
	const filledIn = address.replaceAll(TOKEN_PLACEHOLDER, () => pathSegment(token));
	const url = urlBelow(base, filledIn + joined.slice(address.length));
	url.hash = '';

	const pathBelowBaseUrl = url.pathname.slice(pathOf(base).length);
	const named = tokenIn(pathBelowBaseUrl);
	if (named !== undefined && named !== token) {
		throw new InvalidInput(
			'The URL names another token than the credential, so the gateway would reject the signature',
			'Write {token} in the URL: the credential fills it in.',
		);
	}
	return { url, pathBelowBaseUrl };
}

const pathOf = (base: URL) => withoutTrailingSlashes(base.pathname);

function urlBelow(base: URL, address: string): URL {
	const url = URL.canParse(address) ? new URL(address) : undefined;
	const basePath = pathOf(base);
	if (
		url?.origin === base.origin &&
		`${url.pathname}/`.startsWith(`${basePath}/`) &&
		!hasDotSegment(url.pathname.slice(basePath.length))
	) {
		return url;
	}
	throw new InvalidInput(
		`This credential is for ${base.origin}${basePath} only; the request was going ${destination(url, base)} and was not sent`,
		"Use a URL below the credential's 'Base URL', e.g. <Base URL>/api/whatsapp/{token}/ping, or pick another credential.",
	);
}

function destination(url: URL | undefined, base: URL): string {
	if (!url) return 'to an address that is not a URL';
	if (url.origin === base.origin) return 'to another path there';
	return `to ${url.origin === 'null' ? `${url.protocol}//${url.host}` : url.origin}`;
}

function pathSegment(token: string): string {
	if (token.isWellFormed()) return encodeURIComponent(token);
	throw new InvalidInput(
		"'Token' of the credential has characters that no URL can carry",
		"Copy the token from the gateway's console again.",
	);
}
