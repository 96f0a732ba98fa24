import { accountKey, perAccount } from '../../../gateway/wire/account';

const accountState = perAccount(() => ({}));

test('all executions of an account share one state', () => {
	const account = { baseUrl: 'https://a.example', gatewayToken: 't' };
	expect(accountState({ ...account })).toBe(accountState(account));
	expect(accountState({ ...account, baseUrl: 'https://a.example/' })).toBe(accountState(account));
	expect(accountState({ ...account, gatewayToken: 'u' })).not.toBe(accountState(account));
	expect(accountState({ ...account, baseUrl: 'https://b.example' })).not.toBe(
		accountState(account),
	);
});

test('spellings of a base URL are the same one', () => {
	const keyOf = (baseUrl: string) => accountKey({ baseUrl, gatewayToken: 't' });
	for (const other of [' HTTPS://A.example/gw/', 'https://a.example:443/gw/api/whatsapp/t/ping']) {
		expect(keyOf(other)).toBe(keyOf('https://a.example/gw'));
	}
	// An invalid one is an account of its own.
	expect(keyOf('a.example')).not.toBe(keyOf('b.example'));
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
