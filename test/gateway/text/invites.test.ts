import { channel, inviteCode } from '../../../gateway/text/invites';
import { refused } from '../../harness/refused';

describe('an invite code', () => {
	test('is a code, a number, or the end of a link', () => {
		const codes = ['AbC123', 'HTTPS://CHAT.example.com/AbC123', 12345, 'channel/AbC'].map(
			inviteCode,
		);
		expect(codes).toEqual(['AbC123', 'AbC123', '12345', 'channel/AbC']);
	});

	test.each<[string, unknown, string | RegExp]>([
		['what is not text', NaN, /^'Invite Code' is not text but /],
		['nothing', undefined, "'Invite Code' is empty"],
		['spaces in a code', 'AbC 123', "'Invite Code' contains spaces"],
	])('rejects %s', (_, entered, expected) => {
		const { message, description } = refused(() => inviteCode(entered));
		expect(message).toMatch(expected);
		expect(description).toMatch(/ https:\/\/chat\.example\.com\/AbCdEf123456$|^Enter text, or an /);
	});

	test.each(['https://chat.example.com', 'chat.example.com//', 'example.com/x/group#AbC'])(
		'rejects a link without a code: %s',
		(entered) => {
			expect(refused(() => inviteCode(entered)).message).toBe(
				"'Invite Code' is a link without a code",
			);
			const { message, description } = refused(() => channel(entered));
			expect(message).toBe("'Channel' is a link without a code");
			expect(description).toContain('https://example.com/channel/AbCdEf123456');
		},
	);
});

describe('a channel', () => {
	test('is a code, or a link, which is sent as a full https link', () => {
		expect(channel(' AbC123 ')).toEqual({ inviteCode: 'AbC123' });
		expect(refused(() => channel(' ')).message).toBe("'Channel' is empty");
		expect(channel('HTTPS://example.com/channel/AbC')).toEqual({
			inviteLink: 'https://example.com/channel/AbC',
		});
	});

	test('rejects a link that cannot be parsed, as an invite', () => {
		const link = 'https://999.999.999.999/channel/AbC';
		expect(refused(() => channel(link)).message).toMatch(/^'Channel' is /);
		expect(refused(() => inviteCode(link)).message).toMatch(/^'Invite Code' is /);
	});

	test.each(['https://chat.example.com:8443/AbC123', 'http://localhost:3000/AbC123/'])(
		'may be the link %s, as an invite',
		(entered) => {
			expect(channel(entered)).toEqual({ inviteLink: entered.replace('http:', 'https:') });
			expect(inviteCode(entered)).toBe('AbC123');
		},
	);
});
