import fc from 'fast-check';

import { InvalidInput } from '../../gateway/invalidInput';
import { channel, inviteCode } from '../../gateway/invites';
import { refused } from './refused';

const LINKS_WITHOUT_CODE = [
	'https://chat.example.com/',
	'chat.example.com//',
	'https://a.b/?x=1',
	'https://chat.example.com/invite',
	'https://chat.example.com/invite/',
	'https://chat.example.com/JOIN?code=AbC',
	'chat.example.com/accept',
	'https://example.com/channel/',
	'example.com/x/group#AbC',
	'https://example.com/c',
	'https://example.com/g/',
	'https://chat.example.com',
	'https://chat.example.com?x=1',
	'http://localhost',
];

/** Links all the same, though their host is not of the plainest kind. */
const RARE_LINKS = [
	'https://chat.example.com:8443/AbC123',
	'http://localhost/AbC123',
	'http://localhost:3000/AbC123/',
	'https://chät.example.com/AbC123',
];

describe('an invite', () => {
	test.each([
		['AbC123'],
		['  AbC123\n'],
		['https://chat.example.com/AbC123'],
		['http://chat.example.com/AbC123'],
		['HTTPS://CHAT.example.com/AbC123'],
		['chat.example.com/AbC123'],
		['https://chat.example.com/AbC123/'],
		['https://chat.example.com/AbC123?mode=ac_t&x=/y'],
		['https://chat.example.com/AbC123/?mode=ac_t'],
		['https://chat.example.com/AbC123#top'],
		['https://chat.example.com/invite/AbC123'],
		['chat.example.com/invite/AbC123/?a=b#c'],
	])('is known by its code, found in %j', (entered) => {
		expect(inviteCode(entered)).toBe('AbC123');
	});

	test('keeps upper and lower case, hyphens and underscores of its code', () => {
		expect(inviteCode('https://chat.example.com/aB-c_D')).toBe('aB-c_D');
		expect(inviteCode('aB-c_D')).toBe('aB-c_D');
	});

	test('may have a code of digits only, which expressions give as a number', () => {
		expect(inviteCode(12345)).toBe('12345');
	});

	test.each<[unknown]>([
		[{}],
		[[]],
		[['AbC123']],
		[true],
		[NaN],
		[Infinity],
		[5n],
		[new Date(0)],
		[() => 'AbC'],
	])('has to be text, unlike %p', (entered) => {
		const { message, description } = refused(() => inviteCode(entered));
		expect(message).toBe("'Invite Code' is not text");
		expect(description).toMatch(/e\.g\. https:\/\/chat\.example\.com\/AbCdEf123456$/);
	});

	test.each([[''], ['   '], ['\n\t'], [undefined], [null]])('cannot be %j', (entered) => {
		const { message, description } = refused(() => inviteCode(entered));
		expect(message).toBe("'Invite Code' is empty");
		expect(description).toMatch(/e\.g\. https:\/\/chat\.example\.com\/AbCdEf123456$/);
	});

	test.each(['AbC 123', 'https://chat.example.com/AbC 123', 'see https://chat.example.com/AbC123'])(
		'cannot have blanks inside: %j',
		(entered) => {
			const { message, description } = refused(() => inviteCode(entered));
			expect(message).toBe("'Invite Code' has blanks inside");
			expect(description).toContain('https://chat.example.com/AbCdEf123456');
		},
	);

	test.each(LINKS_WITHOUT_CODE)('cannot be a link without a code: %s', (entered) => {
		expect(refused(() => inviteCode(entered)).message).toBe(
			"'Invite Code' is a link without a code",
		);
	});

	test.each(['invite', 'join', 'c', 'AbC.123', 'channel/AbC'])(
		'may have the code %s where it is no link',
		(entered) => {
			expect(inviteCode(entered)).toBe(entered);
		},
	);

	test.each(RARE_LINKS)('is known by its code, found in %s', (entered) => {
		expect(inviteCode(entered)).toBe('AbC123');
	});

	test('comes out as one word or is refused, whatever is typed', () => {
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
	test.each([['AbC123'], [' AbC123 ']])('may be named by its code: %j', (entered) => {
		expect(channel(entered)).toEqual({ inviteCode: 'AbC123' });
	});

	test.each([
		['https://example.com/channel/AbC', 'https://example.com/channel/AbC'],
		[' https://example.com/channel/AbC ', 'https://example.com/channel/AbC'],
		['http://example.com/channel/AbC', 'https://example.com/channel/AbC'],
		['example.com/channel/AbC', 'https://example.com/channel/AbC'],
		['HTTPS://example.com/channel/AbC', 'https://example.com/channel/AbC'],
		['https://example.com/channel/AbC/?a=b', 'https://example.com/channel/AbC/?a=b'],
	])('may be named by its link, which goes out as a full https link: %j', (entered, inviteLink) => {
		expect(channel(entered)).toEqual({ inviteLink });
	});

	test('may have a code of digits only, which expressions give as a number', () => {
		expect(channel(12345)).toEqual({ inviteCode: '12345' });
	});

	test.each([[''], ['  '], [undefined], [null]])('cannot be %j', (entered) => {
		const { message, description } = refused(() => channel(entered));
		expect(message).toBe("'Channel' is empty");
		expect(description).toContain('https://example.com/channel/AbCdEf123456');
	});

	test.each([[{}], [[]], [true], [NaN]])('has to be text, unlike %p', (entered) => {
		const { message, description } = refused(() => channel(entered));
		expect(message).toBe("'Channel' is not text");
		expect(description).toContain('https://example.com/channel/AbCdEf123456');
	});

	test.each(LINKS_WITHOUT_CODE)('cannot be a link without a code: %s', (entered) => {
		const { message, description } = refused(() => channel(entered));
		expect(message).toBe("'Channel' is a link without a code");
		expect(description).toContain('https://example.com/channel/AbCdEf123456');
	});

	test('cannot have blanks inside', () => {
		expect(refused(() => channel('Ab C')).message).toBe("'Channel' has blanks inside");
	});

	const UNREADABLE = 'https://999.999.999.999/channel/AbC';

	test('cannot be a link that nothing can read', () => {
		expect(refused(() => channel(UNREADABLE)).message).toMatch(/^'Channel' is /);
		expect(refused(() => inviteCode(UNREADABLE)).message).toMatch(/^'Invite Code' is /);
	});

	// Its code is there for all to see: it is the host that is none.
	test('that nothing can read is not said to be without a code', () => {
		expect(refused(() => channel(UNREADABLE)).message).not.toMatch(/without a code/);
	});

	test.each(RARE_LINKS)('may be named by its link %s', (entered) => {
		expect(channel(entered)).toEqual({ inviteLink: entered.replace('http:', 'https:') });
	});
});
