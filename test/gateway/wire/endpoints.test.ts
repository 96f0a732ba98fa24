import fc from 'fast-check';

import { deliveryPath, endpoints, signatureRule, tokenIn } from '../../../gateway/wire/endpoints';
import { endpoints as sandboxEndpoints } from '../../../sandbox/api/endpoints';
import { DOCUMENTED_ENDPOINTS } from '../../harness/apiDocument';

/** The API document, row by row. */
const DOCUMENTED = DOCUMENTED_ENDPOINTS.map(
	({ method, path, signed }) => [method, `/api/whatsapp/{token}${path}`, signed] as const,
);

test('the endpoints are exactly those of the API document', () => {
	const known = Object.values(endpoints).map(({ method, path, signed }) => [method, path, signed]);
	expect(known.sort()).toEqual([...DOCUMENTED].sort());
});

test('the sandbox has the same endpoints, under the same names', () => {
	const inSandbox = Object.entries(sandboxEndpoints).map(([name, { method, path, signed }]) => [
		name,
		{ method, path: `/api/whatsapp/{token}${path}`, signed },
	]);
	expect(Object.fromEntries(inSandbox)).toEqual(endpoints);
});

describe('signing of a request', () => {
	const filledIn = (path: string, token: string, key: string) =>
		path.replace('{token}', () => token).replace('{deliveryKey}', () => key);

	test.each(DOCUMENTED)('%s %s: %s', (method, path, signed) => {
		expect(signatureRule(method, filledIn(path, 'tok-123', 'key-1'))).toBe(signed);
	});

	test.each(DOCUMENTED)(
		'%s %s: %s, whatever characters the token and key contain',
		(method, path, signed) => {
			const segments = [
				'a%2Fb',
				'%E2%98%83%20x',
				'.*',
				'(a|b)+$',
				'[^x]',
				'a.b-c_d~e',
				'$&',
				'api',
				'ping',
				'deferred',
			];
			for (const token of segments) {
				for (const key of segments) {
					expect([token, key, signatureRule(method, filledIn(path, token, key))]).toEqual([
						token,
						key,
						signed,
					]);
				}
			}
		},
	);

	test.each([
		['GET', '/api/whatsapp/tok-123/unknown'],
		['POST', '/api/whatsapp/tok-123/ping'],
		['GET', '/api/whatsapp/tok-123/sendMessage'],
		['PUT', '/api/whatsapp/tok-123/start'],
		['PATCH', '/api/whatsapp/tok-123/deferred/key-1'],
		['POST', '/api/whatsapp/tok-123/deferred'],
		['DELETE', '/api/whatsapp/tok-123/deferred'],
		['GET', '/api/whatsapp/tok-123/deferred/key-1/more'],
		['GET', '/api/whatsapp/tok-123/ping/more'],
		['GET', '/api/whatsapp/tok-123/qr/images'],
		['GET', '/api/whatsapp/tok-123/qrximage'],
		['GET', '/api/whatsapp/tok/123/ping'],
		['GET', '/api/whatsapp//ping'],
		['GET', '/api/whatsapp/tok-123/PING'],
		['GET', '/v1/api/whatsapp/tok-123/ping'],
		['GET', '/api/whatsapp/tok-123'],
		['GET', '/'],
		['GET', ''],
	])('%s %s: always, because it is not documented', (method, path) => {
		expect(signatureRule(method, path)).toBe('yes');
	});

	test('does not depend on the token', () => {
		const token = fc
			.string({ unit: 'grapheme', minLength: 1 })
			.map(encodeURIComponent)
			.filter((segment) => segment !== '.' && segment !== '..');
		fc.assert(
			fc.property(token, fc.constantFrom(...DOCUMENTED), (token, [method, path, signed]) => {
				expect(signatureRule(method, filledIn(path, token, token))).toBe(signed);
			}),
			{ numRuns: 500 },
		);
	});
});

describe('the token in a path', () => {
	test.each([
		['/api/whatsapp/tok-123/ping', 'tok-123'],
		['/api/whatsapp/tok-123', 'tok-123'],
		['/api/whatsapp/a%2Fb%20c/ping', 'a/b c'],
		['/api/whatsapp/%C3%A9/ping', 'é'],
		['/api/whatsapp/a+b/ping', 'a+b'],
		['/api/whatsapp/100%/ping', '100%'],
		['/api/whatsapp/%FF/ping', '%FF'],
	])('is read from %s as %s', (path, token) => {
		expect(tokenIn(path)).toBe(token);
	});

	test.each(['/', '', '/api/whatsapp', '/api/whatsapp/', '/health', '/x/api/whatsapp/tok-123'])(
		'is undefined for %j',
		(path) => {
			expect(tokenIn(path)).toBeUndefined();
		},
	);
});

describe('the path of a deferred delivery', () => {
	const { path } = endpoints.getDeferred;

	test.each([
		['7f9c2ba4e88f827d', '7f9c2ba4e88f827d'],
		['a/b', 'a%2Fb'],
		['a?b#c', 'a%3Fb%23c'],
		['a b%', 'a%20b%25'],
		['é👋', '%C3%A9%F0%9F%91%8B'],
		["$& $1 $` $'", "%24%26%20%241%20%24%60%20%24'"],
		['../ping', '..%2Fping'],
		['{token}', '%7Btoken%7D'],
	])('encodes the key %j as %s', (key, segment) => {
		expect(deliveryPath(path, key)).toBe(`/api/whatsapp/{token}/deferred/${segment}`);
	});
});
