import fc from 'fast-check';

import { deliveryPath, endpoints, signingOf, tokenIn } from '../../gateway/endpoints';

/** Section 4 of the API document, row by row. */
const DOCUMENTED: Array<[method: string, path: string, signing: 'always' | 'never' | 'optional']> =
	[
		['POST', '/api/whatsapp/{token}/sendMessage', 'always'],
		['POST', '/api/whatsapp/{token}/sendMedia', 'always'],
		['POST', '/api/whatsapp/{token}/invite-info', 'always'],
		['POST', '/api/whatsapp/{token}/channel-info', 'always'],
		['GET', '/api/whatsapp/{token}/ping', 'never'],
		['POST', '/api/whatsapp/{token}/start', 'never'],
		['GET', '/api/whatsapp/{token}/status', 'never'],
		['GET', '/api/whatsapp/{token}/qr', 'never'],
		['GET', '/api/whatsapp/{token}/qr/image', 'never'],
		['POST', '/api/whatsapp/{token}/refresh', 'never'],
		['POST', '/api/whatsapp/{token}/terminate', 'never'],
		['GET', '/api/whatsapp/{token}/deferred', 'optional'],
		['GET', '/api/whatsapp/{token}/deferred/{deliveryKey}', 'optional'],
		['DELETE', '/api/whatsapp/{token}/deferred/{deliveryKey}', 'optional'],
	];

test('the endpoints are those of the API document, no more and no less', () => {
	const known = Object.values(endpoints).map(({ method, path, signing }) => [
		method,
		path,
		signing,
	]);
	expect(known).toHaveLength(14);
	expect(known.sort()).toEqual([...DOCUMENTED].sort());
});

test('each endpoint goes by the name of what it does', () => {
	const paths = Object.fromEntries(
		Object.entries(endpoints).map(([name, { method, path }]) => [
			name,
			`${method} ${path.replace('/api/whatsapp/{token}', '')}`,
		]),
	);
	expect(paths).toEqual({
		ping: 'GET /ping',
		start: 'POST /start',
		status: 'GET /status',
		qr: 'GET /qr',
		qrImage: 'GET /qr/image',
		refresh: 'POST /refresh',
		terminate: 'POST /terminate',
		sendMessage: 'POST /sendMessage',
		sendMedia: 'POST /sendMedia',
		inviteInfo: 'POST /invite-info',
		channelInfo: 'POST /channel-info',
		listDeferred: 'GET /deferred',
		getDeferred: 'GET /deferred/{deliveryKey}',
		deleteDeferred: 'DELETE /deferred/{deliveryKey}',
	});
});

describe('whether a call is signed', () => {
	const filledIn = (path: string, token: string, key: string) =>
		path.replace('{token}', () => token).replace('{deliveryKey}', () => key);

	test.each(DOCUMENTED)('%s %s: %s', (method, path, signing) => {
		expect(signingOf(method, filledIn(path, 'tok-123', 'key-1'))).toBe(signing);
	});

	test.each(DOCUMENTED)(
		'%s %s: %s, whatever token and key are made of',
		(method, path, signing) => {
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
					expect([token, key, signingOf(method, filledIn(path, token, key))]).toEqual([
						token,
						key,
						signing,
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
	])('%s %s: always, for it is not in the document', (method, path) => {
		expect(signingOf(method, path)).toBe('always');
	});

	test('never depends on the token', () => {
		const token = fc
			.string({ unit: 'grapheme', minLength: 1 })
			.map(encodeURIComponent)
			.filter((segment) => segment !== '.' && segment !== '..');
		fc.assert(
			fc.property(token, fc.constantFrom(...DOCUMENTED), (token, [method, path, signing]) => {
				expect(signingOf(method, filledIn(path, token, token))).toBe(signing);
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
	])('%s is %s', (path, token) => {
		expect(tokenIn(path)).toBe(token);
	});

	test.each(['/', '', '/api/whatsapp', '/api/whatsapp/', '/health', '/x/api/whatsapp/tok-123'])(
		'is none in %j',
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
	])('carries the key %j as %s', (key, segment) => {
		expect(deliveryPath(path, key)).toBe(`/api/whatsapp/{token}/deferred/${segment}`);
	});
});
