import { accountKey, perAccount } from '../../../gateway/wire/perAccount';

const accountState = perAccount(() => ({}));

test('an account is a base URL with a token', () => {
	const one = accountKey({ baseUrl: 'https://a.example', gatewayToken: 't' });
	expect(accountKey({ baseUrl: 'https://a.example', gatewayToken: 't' })).toBe(one);
	expect(accountKey({ baseUrl: 'https://b.example', gatewayToken: 't' })).not.toBe(one);
	expect(accountKey({ baseUrl: 'https://a.example', gatewayToken: 'u' })).not.toBe(one);
});

test('all executions of an account share one state', () => {
	const account = { baseUrl: 'https://a.example', gatewayToken: 't' };
	expect(accountState({ ...account })).toBe(accountState(account));
	expect(accountState({ ...account, baseUrl: 'https://a.example/' })).toBe(accountState(account));
	expect(accountState({ ...account, gatewayToken: 'u' })).not.toBe(accountState(account));
});

test.each([
	'https://a.example/gw/',
	' https://a.example/gw ',
	'HTTPS://A.example/gw',
	'https://a.example:443/gw',
	'https://a.example/gw/api/whatsapp/t/ping',
])('%p is the same base URL', (baseUrl) => {
	const one = accountKey({ baseUrl: 'https://a.example/gw', gatewayToken: 't' });
	expect(accountKey({ baseUrl, gatewayToken: 't' })).toBe(one);
});

test('a base URL that is invalid is an account of its own', () => {
	expect(accountKey({ baseUrl: 'a.example', gatewayToken: 't' })).not.toBe(
		accountKey({ baseUrl: 'b.example', gatewayToken: 't' }),
	);
});

test('forgets the account that was not used for the longest time', () => {
	const baseUrl = 'https://many.example';
	const [first, second] = ['first', 'second'].map((gatewayToken) =>
		accountState({ baseUrl, gatewayToken }),
	);
	for (let index = 0; index < 998; index++) accountState({ baseUrl, gatewayToken: String(index) });
	expect(accountState({ baseUrl, gatewayToken: 'first' })).toBe(first);
	accountState({ baseUrl, gatewayToken: 'one more' });
	expect(accountState({ baseUrl, gatewayToken: 'first' })).toBe(first);
	expect(accountState({ baseUrl, gatewayToken: 'second' })).not.toBe(second);
});
