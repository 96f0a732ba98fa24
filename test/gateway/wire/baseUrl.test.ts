import { unescape } from 'node:querystring';

import fc from 'fast-check';

import { parseBaseUrl, resolveTarget } from '../../../gateway/wire/baseUrl';
import { InvalidInput } from '../../../gateway/inputValues';
import { anyUrl } from '../../harness/anyText';
import { depth } from '../../harness/depth';
import { refused } from '../../harness/refused';

const TOKEN = 'tok-123';
const PING = '/api/whatsapp/{token}/ping';

function target(baseUrl: string, url: string | undefined, baseURL?: string, token = TOKEN) {
	const { url: resolved, pathBelowBaseUrl } = resolveTarget(baseUrl, token, {
		baseURL,
		url,
	});
	return { href: resolved.href, pathBelowBaseUrl };
}

describe('the base URL', () => {
	test.each([
		['  https://h/ \n', 'https://h'],
		['http://[::1]:3000', 'http://[::1]:3000'],
		// The pasted URL of an endpoint.
		['https://h/gw/api/whatsapp', 'https://h/gw'],
		['https://h/gw/api/whatsapp/{token}/sendMessage', 'https://h/gw'],
	])('resolves %j to %s', (entered, base) => {
		const path = '/api/whatsapp/tok-123/ping';
		expect(target(entered, PING)).toEqual({ href: base + path, pathBelowBaseUrl: path });
	});

	const SCHEME = 'does not start with https:// or http://';
	const QUERY = 'has a query or a fragment';
	test.each([
		[' ', 'is empty'],
		[['https://gateway.example.com'], 'is empty'],
		['localhost:3000', SCHEME],
		['https://', 'is not a URL'],
		['https://{token}.example.net', 'has the token in its host'],
		['https://example.com/gw?', QUERY],
	])('rejects %j, which %s', (entered, problem) => {
		const { message, description } = refused(() => parseBaseUrl(entered));
		expect(message).toBe(`'Base URL' of the credential ${problem}`);
		expect(description).toMatch(/e\.g\. https:\/\/gateway\.example\.com$/);
	});
});

// The expected values are how axios 1 combines baseURL and url.
describe('the request URL is resolved as axios does', () => {
	test.each<[string | undefined, string | undefined, string]>([
		['https://h/gw', '/x', 'https://h/gw/x'],
		['https://h/gw', 'HTTPS://H/gw/x', 'https://h/gw/x'],
		['https://h/gw', undefined, 'https://h/gw'],
		['https://h/gw', '/x?a=b&c=/../d', 'https://h/gw/x?a=b&c=/../d'],
		['https://h/gw', '/x/../y', 'https://h/gw/y'],
		[undefined, '/x', 'https://h/gw/x'],
		['  ', ' /x ', 'https://h/gw/x'],
	])('baseURL %j and url %j resolve to %s', (baseURL, url, href) => {
		expect(target('https://h/gw', url, baseURL).href).toBe(href);
	});
});

describe('the token', () => {
	test.each<[token: string, url: string, path: string]>([
		['a/b', PING, '/api/whatsapp/a%2Fb/ping'],
		['$&$1', PING, '/api/whatsapp/%24%26%241/ping'],
		// It is inserted everywhere in the path, and only once.
		['a{token}', PING, '/api/whatsapp/a%7Btoken%7D/ping'],
		['t', '/api/whatsapp/{token}/x/{token}', '/api/whatsapp/t/x/t'],
		['t', '/x?{token}/{token}', '/x'],
		// The URL may contain it already, encoded or not.
		['a/b', '/api/whatsapp/a%2Fb/ping', '/api/whatsapp/a%2Fb/ping'],
		[TOKEN, '/api/whatsapp/tok%2D123/ping', '/api/whatsapp/tok%2D123/ping'],
	])('%j in %s leads to %s', (token, url, path) => {
		const { href, pathBelowBaseUrl } = target('https://h/gw', url, undefined, token);
		expect([new URL(href).pathname, pathBelowBaseUrl]).toEqual([`/gw${path}`, path]);
	});

	test('is filled into a baseURL too, but not into a query', () => {
		const base = 'https://h/api/whatsapp/{token}';
		expect(target('https://h', '/ping', base).href).toBe('https://h/api/whatsapp/tok-123/ping');
		expect(target('https://h', '/x?t={token}').href).toBe('https://h/x?t={token}');
	});

	test.each([
		'/api/whatsapp/foreign-456/ping',
		'https://h/gw/api/whatsapp/foreign-456/sendMessage?x={token}',
		'/api/whatsapp/tok-123/%2e%2e/foreign-456/ping',
		'/api/whatsapp/tok-1234/ping',
	])('of another account is rejected without showing either token: %s', (url) => {
		const { message, description } = refused(() => target('https://h/gw', url));
		expect(message).toMatch(/^The URL names another token than the credential/);
		expect(description).toMatch(/Write \{token\} in the URL/);
		for (const text of [message, description]) {
			expect(text).not.toMatch(/tok-123|foreign-456/i);
		}
	});

	test('that a URL cannot contain is rejected without being shown', () => {
		const { message } = refused(() => target('https://h', PING, undefined, 'tok-\ud83d-123'));
		expect(message).toBe("'Token' of the credential has characters that no URL can carry");
	});
});

describe('a request that leaves the base URL is rejected', () => {
	test.each([
		['another host', 'https://evil.example/gw/x'],
		['slashes that are encoded a thousand times', `/x/..%${'25'.repeat(1000)}2fy`],
		['invalid UTF-8 before dots', '/x/%ff%2f..%2fy'],
		['a file', 'file:///gw/x'],
		['an invalid URL', 'https://'],
	])('%s', (_, url) => {
		const { message, description } = refused(() => target('https://h/gw', url));
		expect(message).toMatch(/^This credential is for https:\/\/h\/gw only; .* was not sent$/);
		expect(description).toMatch(/<Base URL>\/api\/whatsapp\/\{token\}\/ping/);
	});

	test.each([
		['javascript:alert(1)', 'https://h/gw/javascript:alert(1)'],
		['@evil.example/x', 'https://h/gw/@evil.example/x'],
	])('but a path that only looks like another host is kept: %s', (url, href) => {
		expect(target('https://h/gw', url).href).toBe(href);
	});

	// Proxies and frameworks decode a path again before they resolve dots, some of them with backslashes.
	test('for any input, and however often a server decodes it', () => {
		const piece = fc.constantFrom(
			...['/', '\\', '.', '..', '%2e', '%2F', ':', '@', '//', 'https:', 'http://', '?', '#'],
			...['h', 'gw', 'evil.example', ' ', '\t', '\n', '{token}', 'api/whatsapp', '8443', 'x', '\0'],
			...['%5c', '%25', '25', '2e', '2f', '5C', '%252E', ';', '%3b'],
		);
		const url = fc.oneof(
			fc.array(piece).map((pieces) => pieces.join('')),
			fc.string(),
			anyUrl(),
		);
		fc.assert(
			fc.property(url, fc.option(url, { nil: undefined }), (url, baseURL) => {
				let href: string;
				try {
					({ href } = target('https://h/gw', url, baseURL));
				} catch (thrown) {
					expect(thrown).toBeInstanceOf(InvalidInput);
					expect(JSON.stringify(thrown) + String(thrown)).not.toContain(TOKEN);
					return;
				}
				expect(new URL(href).origin).toBe('https://h');
				let path = new URL(href).pathname;
				expect(path).toMatch(/^\/gw(\/|$)/);
				for (let times = 0; times < 20; times++) {
					expect(path).not.toContain('\\');
					for (const segment of path.split('/')) expect(segment).not.toMatch(/^\.\.?(;|$)/);
					path = unescape(path);
				}
			}),
			{ numRuns: depth(1_000, 20_000) },
		);
	});
});
