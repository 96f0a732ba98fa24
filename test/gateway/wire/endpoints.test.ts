import fc from 'fast-check';

import { deliveryPath, endpoints, signatureRule, tokenIn } from '../../../gateway/wire/endpoints';
import { endpoints as sandboxEndpoints } from '../../../dev/sandbox/api/endpoints';
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

	test.each([
		['GET', '/api/whatsapp/tok-123/unknown'],
		['GET', '/api/whatsapp/tok-123/sendMessage'],
		['POST', '/api/whatsapp/tok-123/deferred'],
	])('%s %s: always, because it is not documented', (method, path) => {
		expect(signatureRule(method, path)).toBe('yes');
	});

	test('does not depend on the characters of the token and the key', () => {
		const segment = fc.oneof(
			fc.constantFrom('a%2Fb', '.*', '(a|b)+$', '[^x]', '$&', 'api', 'ping', 'deferred'),
			fc
				.string({ unit: 'grapheme', minLength: 1 })
				.map(encodeURIComponent)
				.filter((segment) => segment !== '.' && segment !== '..'),
		);
		for (const [method, path, signed] of DOCUMENTED) {
			const property = fc.property(segment, segment, (token, key) => {
				expect(signatureRule(method, filledIn(path, token, key))).toBe(signed);
			});
			fc.assert(property);
		}
	});
});

describe('the token in a path', () => {
	test.each([
		['/api/whatsapp/tok-123/ping', 'tok-123'],
		['/api/whatsapp/tok-123', 'tok-123'],
		['/api/whatsapp/a%2Fb%20c/ping', 'a/b c'],
		['/api/whatsapp/%FF/ping', '%FF'],
	])('is read from %s as %s', (path, token) => {
		expect(tokenIn(path)).toBe(token);
	});

	test('is undefined if there is none', () => {
		for (const path of ['', '/api/whatsapp/', '/health', '/x/api/whatsapp/tok-123']) {
			expect(tokenIn(path)).toBeUndefined();
		}
	});
});

describe('the path of a deferred delivery', () => {
	const { path } = endpoints.getDeferred;

	test.each([
		["$& $1 $` $'", "%24%26%20%241%20%24%60%20%24'"],
		['../ping', '..%2Fping'],
		['{token}', '%7Btoken%7D'],
	])('encodes the key %j as %s', (key, segment) => {
		expect(deliveryPath(path, key)).toBe(`/api/whatsapp/{token}/deferred/${segment}`);
	});
});
