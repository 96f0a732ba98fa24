import fc from 'fast-check';
import { getCountries } from 'libphonenumber-js/min';

import { chatId, country, identityOf } from '../../../gateway/text/chatId';
import { InvalidInput } from '../../../gateway/inputValues';
import { anyText } from '../../harness/anyText';
import { depth } from '../../harness/depth';
import { refused } from '../../harness/refused';

const ACCEPTED = /^[1-9]\d{6,14}(@c\.us)?$|^[\w.-]+@(g\.us|newsletter)$/;

describe('the Chat ID', () => {
	test.each<[string, unknown, string]>([
		['a plus sign, brackets, spaces and a hyphen', '+49 (151) 234-567', '49151234567'],
		['a leading 00 and slashes', '0049/151/234567', '49151234567'],
		['the trunk prefix after a hyphen', '+1-(0)-212-555-0100', '12125550100'],
		['an apostrophe, as in a list for spreadsheets', "'+49 151 234567", '49151234567'],
		['invisible characters', '\u202a+49 151\u200b 234567\u202c\ufeff', '49151234567'],
		['the type bigint', 4915123456789n, '4915123456789'],
	])('accepts a phone number with %s', (_, entered, id) => {
		expect(chatId(entered)).toBe(id);
	});

	test.each([
		[' 120363041234567890@G.US ', '120363041234567890@g.us'],
		['AbC_d-E.f@NEWSLETTER', 'AbC_d-E.f@newsletter'],
	])('accepts the ID %j', (entered, id) => {
		expect(chatId(entered)).toBe(id);
	});

	test.each<[string, unknown]>([
		['the exit code of Thailand', '001 44 20 7946 0958'],
		['an ID of an unknown kind', '4915123456789@s.example.net'],
		['an ID with the name of a JavaScript built-in', '4915123456789@constructor'],
		['an object without a prototype', Object.create(null)],
	])('rejects %s and names the field', (_, entered) => {
		const { message, description } = refused(() => chatId(entered));
		expect(message).toMatch(/^'Chat ID' cannot be /);
		expect(description).toMatch(/country code, e\.g\. 4915123456789 or \+49 151 23456789/);
		expect(description).toMatch(/@c\.us, @g\.us or @newsletter\. The console of your gateway/);
	});

	test('rejects an empty value', () => {
		const { message, description } = refused(() => chatId(undefined));
		expect(message).toBe("'Chat ID' is empty");
		expect(description).toMatch(/country code, e\.g\. 4915123456789/);
	});

	test.each(['chat.example.com/AbC123', 'HTTPS://a.example/b@c'])(
		'says of %s that it is a link',
		(entered) => {
			expect(refused(() => chatId(entered)).message).toBe(
				`'Chat ID' cannot be '${entered}': it is a link, not an ID. Get Invite Info may return the ID`,
			);
		},
	);

	test.each(['2901234;2905678', '+2901234\n2905678'])(
		'says of %j that an item has one recipient',
		(entered) => {
			const { message } = refused(() => chatId(entered));
			expect(message).toBe(`'Chat ID' cannot be '${entered}': an item has one recipient`);
		},
	);

	test('names the option Default Country only where it is not set', () => {
		const advice = (country?: 'DE') => refused(() => chatId('Ada', country)).description;
		expect(advice()).toContain("add the option 'Default Country'");
		expect(advice('DE')).not.toContain('Default Country');
	});

	test('quotes a rejected value and truncates a long one', () => {
		expect(refused(() => chatId('Ada')).message).toBe("'Chat ID' cannot be 'Ada'");
		expect(refused(() => chatId('x'.repeat(5000))).message.length).toBeLessThan(80);
	});

	test.each([
		['0151 2345678', "it has no country code, and 'Default Country' is not set"],
		['49 151 234567', "it has separators but no + or 00, and 'Default Country' is not set"],
		['+49 151 (0) 234567', 'the zero in brackets may or may not be dialled from abroad'],
		['+1234567.50', 'it looks like a decimal fraction'],
		['2024-01-15', 'it looks like a date'],
		['+0151 234567', 'no country code begins with 0'],
		['123456', 'it has too few digits'],
		['1234567890123456', 'it has too many digits'],
	])('says why it rejects %s', (entered, reason) => {
		expect(refused(() => chatId(entered)).message).toBe(
			`'Chat ID' cannot be '${entered}': ${reason}`,
		);
	});
});

// A number is shown as it is sent: the digits after one of these marks may be shown in another order.
const RIGHT_TO_LEFT = ['\u200f', '\u202b', '\u2067', '\u061c'];
test.each([
	...RIGHT_TO_LEFT.map((mark) => `+49 ${mark}151 234567`),
	...['49151234\u202e567@c.us', '\u202e49\u202c151234567'],
])('rejects %j, which is shown in another order', (entered) => {
	expect(() => chatId(entered)).toThrow("'Chat ID' contains a mark that writes from right to left");
});

test('takes a number from an Arabic or Hebrew contact, and ignores a mark at the end', () => {
	for (const mark of RIGHT_TO_LEFT) {
		expect(chatId(`${mark}49151234567`)).toBe('49151234567');
		expect(chatId(`+49 151 234567${mark}`)).toBe('49151234567');
	}
	expect(chatId('\u200f+49151234567\u200f')).toBe('49151234567');
});

describe('any input', () => {
	const almostValid = fc.oneof(
		fc.stringMatching(/^ ?(\+|00|0|8|011)?[ \d().\-/]{5,18} ?$/),
		fc.stringMatching(/^[\d-]{3,22}@(c\.us|g\.us|newsletter|lid|C\.US|s\.whatsapp\.net)\n?$/),
		fc.string({ unit: fc.constantFrom(...'0123456789+-()./ @cusgnewlt\u200b\u00a0\n') }),
		fc.stringMatching(/^(1|7|5[245]|86|370|375)?[1-9]\d{6,11}$/),
	);
	const anything = fc.oneof(
		{ weight: 4, arbitrary: almostValid },
		anyText(),
		fc.oneof(fc.double(), fc.integer(), fc.bigInt()),
		fc.anything({ withBigInt: true, withDate: true, withNullPrototype: true, withMap: true }),
	);
	const anyCountry = fc.option(fc.constantFrom(...getCountries()), { nil: undefined });

	test('becomes an ID that the gateway accepts and that stays the same, or is rejected', () => {
		fc.assert(
			fc.property(anything, anyCountry, (entered, country) => {
				let id: string;
				try {
					id = chatId(entered, country);
				} catch (thrown) {
					expect(thrown).toBeInstanceOf(InvalidInput);
					return;
				}
				expect(id).toMatch(ACCEPTED);
				expect(chatId(id)).toBe(id);
				const identity = identityOf(id);
				expect(chatId(identity)).toBe(identity);
				expect(identityOf(identity)).toBe(identity);
			}),
			{ numRuns: depth(1_500, 20_000) },
		);
	});
});

test('a number with separators but without + or 00 is always rejected', () => {
	const separator = fc.constantFrom(...' -./()', ' - ', '\u00a0', '\u2011', '\t', '\u200b', '', '');
	const separators = fc.array(separator, { minLength: 14, maxLength: 14 });
	fc.assert(
		fc.property(fc.stringMatching(/^[1-9]\d{6,14}$/), separators, (digits, between) => {
			const formatted = [...digits].map((digit, at) => (between[at - 1] ?? '') + digit).join('');
			const visible = formatted.replace(/\u200b/g, '');
			fc.pre(/\D/.test(visible) && !/^\d+\.0$/.test(visible));
			expect(refused(() => chatId(formatted)).message).toMatch(/^'Chat ID' cannot be '/);
		}),
		{ numRuns: depth(500, 4_000) },
	);
});

test('reads the code of a country, or rejects it', () => {
	expect(country(' gb ')).toBe('GB');
	expect(refused(() => country(49)).message).toContain('is not the code of a country');
	expect(refused(() => country('')).message).toContain('is empty');
});

test('the identity is the same with and without suffix, and differs for other numbers', () => {
	const isSame = (one: string, other: string) =>
		identityOf(chatId(one)) === identityOf(chatId(other));
	expect(isSame('4915123456789@c.us', '4915123456789')).toBe(true);
	expect(isSame('49015123456789', '4915123456789')).toBe(true);
	expect(isSame('541123456789', '5491123456789')).toBe(false);
	expect(isSame('26301312345', '2631312345')).toBe(false);
	// A German number that contains one of Brazil.
	expect(identityOf(chatId('49551181234567'))).toBe('49551181234567');
});

test('a number that looks rounded is accepted as text, and a shorter one as it is', () => {
	expect(refused(() => chatId(491_512_000_000)).message).toContain('enter all digits as text');
	expect(chatId('+491512000000')).toBe('491512000000');
	expect(chatId('491512000000')).toBe('491512000000');
	expect(chatId(491_512_340_000)).toBe('491512340000');
	expect(chatId(12_125_000_000)).toBe('12125000000');
});
