import fc from 'fast-check';

import { InvalidInput } from '../../../gateway/invalidInput';
import { channel, inviteCode } from '../../../gateway/text/invites';
import { refused } from '../../harness/refused';

const LINKS_WITHOUT_CODE = [
	'https://chat.example.com',
	'https://chat.example.com/JOIN?code=AbC',
	'chat.example.com//',
	'example.com/x/group#AbC',
];

/** Valid links with an unusual host. */
const RARE_LINKS = [
	'https://chat.example.com:8443/AbC123',
	'http://localhost:3000/AbC123/',
	'https://chät.example.com/AbC123',
];

describe('an invite code', () => {
	test.each([['AbC123'], ['HTTPS://CHAT.example.com/AbC123']])('is read from %j', (entered) => {
		expect(inviteCode(entered)).toBe('AbC123');
	});

	test('may be a number, which an expression returns for digits', () => {
		expect(inviteCode(12345)).toBe('12345');
	});

	test.each<[unknown]>([[{}], [NaN]])('rejects a value that is not text: %p', (entered) => {
		const { message, description } = refused(() => inviteCode(entered));
		expect(message).toMatch(/^'Invite Code' is not text but /);
		expect(description).toBe('Enter text, or an expression that returns text.');
	});

	test.each([[''], [undefined]])('rejects %j', (entered) => {
		const { message, description } = refused(() => inviteCode(entered));
		expect(message).toBe("'Invite Code' is empty");
		expect(description).toMatch(/e\.g\. https:\/\/chat\.example\.com\/AbCdEf123456$/);
	});

	test.each(['AbC 123', 'https://chat.example.com/AbC 123'])(
		'rejects whitespace inside: %j',
		(entered) => {
			const { message, description } = refused(() => inviteCode(entered));
			expect(message).toBe("'Invite Code' contains spaces");
			expect(description).toContain('https://chat.example.com/AbCdEf123456');
		},
	);

	test.each(LINKS_WITHOUT_CODE)('rejects a link without a code: %s', (entered) => {
		expect(refused(() => inviteCode(entered)).message).toBe(
			"'Invite Code' is a link without a code",
		);
		const { message, description } = refused(() => channel(entered));
		expect(message).toBe("'Channel' is a link without a code");
		expect(description).toContain('https://example.com/channel/AbCdEf123456');
	});

	test.each(['invite', 'channel/AbC'])('accepts %s as a code that is not a link', (entered) => {
		expect(inviteCode(entered)).toBe(entered);
	});

	test('has no whitespace or is rejected, for any input', () => {
		const anything = fc.oneof(
			fc.string({ unit: 'binary' }),
			fc.webUrl({ withQueryParameters: true, withFragments: true }),
			fc.anything(),
		);
		fc.assert(
			fc.property(anything, (entered) => {
				try {
					expect(inviteCode(entered)).toMatch(/^\S+$/);
				} catch (thrown) {
					expect(thrown).toBeInstanceOf(InvalidInput);
				}
			}),
			{ numRuns: 300 },
		);
	});
});

describe('a channel', () => {
	test('may be a code', () => {
		expect(channel(' AbC123 ')).toEqual({ inviteCode: 'AbC123' });
	});

	test.each([
		['https://example.com/channel/AbC', 'https://example.com/channel/AbC'],
		['HTTPS://example.com/channel/AbC', 'https://example.com/channel/AbC'],
	])('may be a link, which is sent as a full https link: %j', (entered, inviteLink) => {
		expect(channel(entered)).toEqual({ inviteLink });
	});

	test('is required', () => {
		const { message, description } = refused(() => channel(' '));
		expect(message).toBe("'Channel' is empty");
		expect(description).toContain('https://example.com/channel/AbCdEf123456');
	});

	const UNREADABLE = 'https://999.999.999.999/channel/AbC';

	test('rejects a link that cannot be parsed', () => {
		expect(refused(() => channel(UNREADABLE)).message).toMatch(/^'Channel' is /);
		expect(refused(() => inviteCode(UNREADABLE)).message).toMatch(/^'Invite Code' is /);
	});

	test.each(RARE_LINKS)('may be the link %s, as an invite', (entered) => {
		expect(channel(entered)).toEqual({ inviteLink: entered.replace('http:', 'https:') });
		expect(inviteCode(entered)).toBe('AbC123');
	});
});
