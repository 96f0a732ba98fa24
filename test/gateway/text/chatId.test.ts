import fc from 'fast-check';
import { getCountries } from 'libphonenumber-js/min';

import { chatId, country, identityOf } from '../../../gateway/text/chatId';
import { InvalidInput } from '../../../gateway/invalidInput';
import type { Country } from '../../../gateway/text/countries';
import { depth } from '../../harness/depth';
import { refused } from '../../harness/refused';

const ACCEPTED = /^[1-9]\d{6,14}(@c\.us)?$|^[\w.-]+@(g\.us|newsletter)$/;

describe('the Chat ID', () => {
	test.each<[string, unknown, string]>([
		['a plus sign, brackets, spaces and a hyphen', '+49 (151) 234-567', '49151234567'],
		['a slash and spaces', '+49 151 / 234567', '49151234567'],
		['a leading 00 and slashes', '0049/151/234567', '49151234567'],
		['the trunk prefix (0)', '+49 (0) 151 234567', '49151234567'],
		['the trunk prefix after a hyphen', '+1-(0)-212-555-0100', '12125550100'],
		['the trunk prefix after three digits', '+353 (0)1 234 5678', '35312345678'],
		['brackets around the country code', '+(49) 151 234567', '49151234567'],
		['non-breaking and thin spaces', '+49\u00a0151\u2009234567', '49151234567'],
		['typographic dashes', '+49\u2011151\u2013234\u2014567', '49151234567'],
		['invisible characters', '\u202a+49 151\u200b 234567\u202c\ufeff', '49151234567'],
		['the .0 that a spreadsheet adds', '4915123456789.0', '4915123456789'],
		['the minimum number of digits', '2901234', '2901234'],
		['the maximum number of digits', '123456789012345', '123456789012345'],
		['the trunk prefix of a country without one', '+34 (0)612 345 678', '34612345678'],
		['an area code in brackets with its zero', '+49 (0151) 234567', '49151234567'],
		['the trunk prefix of Britain', '+44 (0)20 7946 0958', '442079460958'],
		['the trunk prefix of Hungary', '+36 06 20 123 4567', '36201234567'],
		['the zero of an Italian area code', '+39 (0)343 12345', '39034312345'],
		['the zero of a number of Benin', '+229 01 97 12 34 56', '2290197123456'],
		['the former mobile prefix of Mexico', '+52 1 55 1234 5678', '5215512345678'],
		['dots between pairs of digits', '+33.1.42.68.53.00', '33142685300'],
		['00 and the country code of North America', '001 212 555 0123', '12125550123'],
		['an unknown country code', '+999 1234 5678', '99912345678'],
		['too few digits for its country', '+44 20 794609', '4420794609'],
		['the type number', 4915123456789, '4915123456789'],
		['the type bigint', 4915123456789n, '4915123456789'],
	])('accepts a phone number with %s', (_, entered, id) => {
		expect(chatId(entered)).toBe(id);
	});

	test.each([
		['4915123456789@c.us', '4915123456789@c.us'],
		['120363041234567890@g.us', '120363041234567890@g.us'],
		['4915123456789-1600000000@g.us', '4915123456789-1600000000@g.us'],
		[' 120363041234567890@G.US ', '120363041234567890@g.us'],
		['AbC_d-E.f@NEWSLETTER', 'AbC_d-E.f@newsletter'],
		['4915123456789@s.whatsapp.net', '4915123456789@c.us'],
		['\u200e120363041234567890@Newsletter\u200e', '120363041234567890@newsletter'],
	])('accepts the ID %j', (entered, id) => {
		expect(chatId(entered)).toBe(id);
	});

	test.each<[string, unknown]>([
		['leading brackets but no + or 00', '(49)151234567'],
		['slashes but no + or 00', '49/151/234567'],
		['a date with dots', '15.01.2024'],
		['a date and a time', '2024-01-15 10:30'],
		['a decimal fraction', '4915123456789.5'],
		['a decimal fraction of zeros', '4915123456.00'],
		['two numbers separated by a slash', '+4915123456/4915198765'],
		['a zero in brackets after too many digits', '+4915 (0) 1234567'],
		['two trunk prefixes', '+49 (0) (0) 151 234567'],
		['three leading zeros', '00049151234567'],
		['a trailing separator', '+49151234567-'],
		['the exit code of Thailand', '001 44 20 7946 0958'],
		['too many digits after a plus sign', '+1234567 890123456'],
		['a name', 'Ada Lovelace'],
		['an extension', '+49 151 234567 ext. 5'],
		['two numbers on two lines', '+2901234\n2905678'],
		['the exponent notation of a spreadsheet', '4.91512E+12'],
		['digits of another script', '٤٩١٥١٢٣٤٥٦٧٨٩'],
		['an e-mail address', 'ada@example.com'],
		['an ID of an unknown kind', '4915123456789@s.example.net'],
		['an ID with the name of a JavaScript built-in', '4915123456789@constructor'],
		['an ID with a plus sign', '+4915123456789@c.us'],
		['an ID without digits', '@c.us'],
		['an ID of a person with too few digits', '123456@c.us'],
		['an ID of a person with too many digits', '1234567890123456@c.us'],
		['an ID of a person with a leading zero', '04915123456789@c.us'],
		['an ID with two @ signs', '4915123456789@c.us@g.us'],
		['an ID with extra characters at the end', '4915123456789@c.usa'],
		['an ID followed by another line', '4915123456789@c.us\nx'],
		['an ID of a person with letters', 'AbC15123456789@c.us'],
		['an ID of a channel with spaces inside', '0029Va AbC@newsletter'],
		['a link to a channel as an ID', 'https://example.com/AbC@newsletter'],
		['a number that a sheet has rounded', 4.91512e12],
		['a fraction', 4915123456789.5],
		['a negative number', -4915123456789],
		['a number too small', 123456],
		['a number above the safe integers', 2 ** 53],
		['NaN', NaN],
		['a negative bigint', -4915123456789n],
		['a list', ['4915123456789']],
		['an object', { id: '4915123456789' }],
		['an object without a prototype', Object.create(null)],
		['a symbol', Symbol('4915123456789')],
	])('rejects %s and names the field', (_, entered) => {
		const { message, description } = refused(() => chatId(entered));
		expect(message).toMatch(/^'Chat ID' cannot be /);
		expect(description).toMatch(/country code, e\.g\. 4915123456789 or \+49 151 23456789/);
		expect(description).toMatch(/@c\.us, @g\.us or @newsletter/);
	});

	test.each([[''], [undefined], [null]])('rejects an empty value: %j', (entered) => {
		const { message, description } = refused(() => chatId(entered));
		expect(message).toBe("'Chat ID' is empty");
		expect(description).toMatch(/country code, e\.g\. 4915123456789/);
	});

	test('quotes a rejected value and truncates a long one', () => {
		expect(refused(() => chatId('Ada')).message).toBe("'Chat ID' cannot be 'Ada'");
		expect(refused(() => chatId('x'.repeat(5000))).message.length).toBeLessThan(80);
	});

	const AFTER_00 = 'after 00 it is not an American number, and 001 and 0011 are also exit codes';
	test.each([
		['0151 2345678', "it has no country code, and 'Default Country' is not set"],
		['49 151 234567', "it has separators but no + or 00, and 'Default Country' is not set"],
		['0011 44 20 7946 0958', AFTER_00],
		['+49 151 (0) 234567', 'the zero in brackets may or may not be dialled from abroad'],
		['+1234567.50', 'it looks like a decimal fraction'],
		['2024-01-15', 'it looks like a date'],
		['+49 30 123456/57', 'it may be two numbers with a slash between them'],
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
	...RIGHT_TO_LEFT.map((mark) => `${mark}+49 151 234567`),
	...RIGHT_TO_LEFT.map((mark) => `+49 ${mark}151 234567`),
	...['\u202e49151234567', '49\u202e151234567', '49151234\u202e567@c.us'],
	...['\u202e49\u202c151234567'],
])('rejects %j, which is shown in another order', (entered) => {
	expect(() => chatId(entered)).toThrow("'Chat ID' contains a mark that writes from right to left");
});

test.each([...RIGHT_TO_LEFT.map((mark) => `${mark}49151234567`), '\u200f+49151234567\u200f'])(
	'takes %j from an Arabic or Hebrew contact',
	(entered) => expect(chatId(entered)).toBe('49151234567'),
);
test('ignores a mark at the end', () => {
	for (const mark of [...RIGHT_TO_LEFT, '\u202e']) {
		expect(chatId(`+49 151 234567${mark}`)).toBe('49151234567');
	}
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
		fc.string({ unit: 'binary' }),
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

describe('separators', () => {
	const number = fc.stringMatching(/^[1-9]\d{6,14}$/);
	/** What the country dials before its numbers is dropped, such as a zero, so not every text of digits is kept. */
	const international = fc.oneof(
		fc.constantFrom(
			...['4915123456789', '390343123456', '447400123456', '12125550123', '5491123456789'],
		),
		fc.stringMatching(/^(210|28|999)\d{5,12}$/), // unknown country codes
	);
	const invisible = fc.constantFrom('\u200b', '\u200e');
	const separator = fc.constantFrom(
		...[' ', '-', '.', '(', ')', ') ', ' (', ' - '],
		...['\u00a0', '\u2009', '\u2011', '\u2013', '\t'],
	);
	const separators = (one: fc.Arbitrary<string>) => fc.array(one, { minLength: 14, maxLength: 14 });
	const spread = (digits: string, between: string[]) =>
		[...digits].map((digit, at) => (at === 0 ? '' : between[at - 1]) + digit).join('');

	test('after + or 00 are removed without changing the digits', () => {
		fc.assert(
			fc.property(
				international,
				separators(fc.oneof(fc.constant(''), invisible, separator)),
				fc.constantFrom('+', '00', '+ ', ' +', '\u202a+', '00 ', '\u200e00'),
				fc.constantFrom('', ' ', '\u202c'),
				(digits, between, before, after) => {
					const formatted = `${before}${spread(digits, between)}${after}`;
					// Skips two ambiguous forms: a zero in brackets and a decimal fraction.
					const visible = formatted.replace(/[\u200b\u200e\u202a\u202c]/g, '').trim();
					fc.pre(!/\(\s*0/.test(visible) && !/\.\d{1,2}$/.test(visible));
					expect(chatId(formatted)).toBe(digits);
				},
			),
			{ numRuns: depth(500, 4_000) },
		);
	});

	test('without + or 00 are always rejected', () => {
		fc.assert(
			fc.property(
				number,
				separators(fc.oneof(fc.constant(''), invisible, separator, fc.constant('/'))),
				(digits, between) => {
					const formatted = spread(digits, between);
					const visible = formatted.replace(/[\u200b\u200e]/g, '');
					fc.pre(/\D/.test(visible) && !/^\d+\.0$/.test(visible));
					expect(refused(() => chatId(formatted)).message).toMatch(/^'Chat ID' cannot be '/);
				},
			),
			{ numRuns: depth(500, 4_000) },
		);
	});
});

describe('with a Default Country', () => {
	const noFit = (country: Country) =>
		`read as a number in ${country}, it does not fit: check its length, area code and leading zero`;

	test.each<[Country, unknown, string]>([
		['DE', '0151 234567', '49151234567'],
		['DE', '0151/234567', '49151234567'],
		['DE', '4915123456789', '4915123456789'],
		['DE', '49 (0)151 234567', '49151234567'],
		['DE', '+44 20 7946 0958', '442079460958'],
		['DE', '0044 20 7946 0958', '442079460958'],
		// The zero is lost in a spreadsheet.
		['DE', 1701234567, '491701234567'],
		['DE', '1701234567.0', '491701234567'],
		['DE', '120363041234567890@g.us', '120363041234567890@g.us'],
		['GB', '020 7946 0958', '442079460958'],
		['FR', '01.42.68.53.00', '33142685300'],
		['IT', '0343 12345', '39034312345'],
		['IT', '343 1234567', '393431234567'],
		['IT', '393123456789', '393123456789'],
		['HU', '06 20 123 4567', '36201234567'],
		['LT', '8 612 34567', '37061234567'],
		['RU', '8 (916) 123-45-67', '79161234567'],
		['US', '(212) 555-0123', '12125550123'],
		['US', '4915123456789', '4915123456789'],
		['BR', '11912345678', '5511912345678'],
		['BR', '0 15 11 91234-5678', '5511912345678'], // 15: the carrier
		['AR', '011 15-2345-6789', '5491123456789'],
		['CN', '13812345678', '8613812345678'],
		['BO', '71234567', '59171234567'],
		// Ranges that are not in use.
		['NO', '12345678', '4712345678'],
		['US', '5551234567', '15551234567'],
		// The exit codes of the countries.
		['US', '011 44 20 7946 0958', '442079460958'],
		['AU', '0011 44 20 7946 0958', '442079460958'],
		['AU', '0011 1 212 555 0123', '12125550123'],
		['JP', '010 44 20 7946 0958', '442079460958'],
		['TH', '001 44 20 7946 0958', '442079460958'],
		['HK', '0012125550123', '12125550123'],
		['RU', '8 10 1 212 555 0123', '12125550123'],
		['CU', '119 44 20 7946 0958', '442079460958'],
		['JP', '0081 90 1234 5678', '819012345678'],
		// The zero may be left out, and the number begins with the country's own code.
		['IN', '91139 94945', '919113994945'],
		['IN', '91234 56789', '919123456789'],
		['TR', '5321234567', '905321234567'],
		// The former mobile prefix of Mexico.
		['MX', '5215512345678', '5215512345678'],
		['MX', '521 55 1234 5678', '5215512345678'],
		['MX', '+52 1 55 1234 5678', '5215512345678'],
		// The ninth digit of mobile numbers, and the landlines without it.
		['BR', '(11) 2345-6789', '551123456789'],
		// Countries that share a code.
		['KZ', '8 701 234 5678', '77012345678'],
		['RU', '8 701 234 5678', '77012345678'],
		['GG', '07781 123456', '447781123456'],
		['GB', '01481 123456', '441481123456'],
		['SJ', '79 02 12 34', '4779021234'],
		['GP', '0690 00 12 34', '590690001234'],
		['RE', '0692 12 34 56', '262692123456'],
		['BB', '(246) 250-1234', '12462501234'],
		// They have no area codes.
		['LI', '791 23 45', '4237912345'],
		['MC', '99 12 34 56', '37799123456'],
		['LU', '40 12 34', '352401234'],
	])('%s accepts %j', (country, entered, id) => {
		expect(chatId(entered, country)).toBe(id);
	});

	test.each<[Country, string, string]>([
		['DE', '15123456789', 'it can be read as +4915123456789 and as +15123456789'],
		['DE', '33612345678', 'it can be read as +4933612345678 and as +33612345678'],
		['CO', '00573211234567', 'it can be read as +573211234567 and as +73211234567'],
		['DE', '234567', noFit('DE')],
		['US', '0123456789', noFit('US')],
		['IN', '9113994945', 'it can be read as +919113994945 and as +9113994945'],
		['VN', '847489297', 'it can be read as +84847489297 and as +847489297'],
		['JP', '0044 20 7946 0958', 'it can be read as +442079460958 and as +8100442079460958'],
		['AX', '994467232442', 'it can be read as +467232442 and as +994467232442'],
		['DE', '4921 55270769', 'it can be read as +49492155270769 and as +492155270769'],
		['DE', '01.02.2024', 'it looks like a date'],
		['DE', '15123456.50', 'it looks like a decimal fraction'],
		['DE', '030 1234567/8912345', 'it may be two numbers with a slash between them'],
		['DE', '0011 44 20 7946 0958', noFit('DE')],
	])('%s rejects %s: %s', (country, entered, reason) => {
		expect(refused(() => chatId(entered, country)).message).toBe(
			`'Chat ID' cannot be '${entered}': ${reason}`,
		);
	});

	// Without the area code, these were taken for foreign numbers and for numbers of other towns.
	test.each<[Country, string]>([
		['US', '4319389'],
		['BR', '991234567'],
		['MY', '5222-7099'],
		['IT', '841234'],
		['AT', '43199100'],
		['AR', '15-2345-6789'],
		['KR', '1119-5511'],
	])('%s rejects %s, which has no area code', (country, entered) => {
		expect(refused(() => chatId(entered, country)).message).toMatch(
			/: read as a number in ..,|: it can be read as /,
		);
	});

	test.each<[Country, string]>([
		['DE', '030 123456 030 654321'],
		['AT', '58801-40110'],
		['GB', '0151 23456789.0'],
		['DE', 'tel:+4915123456789'],
		['DE', '\u06600151 23456789'],
		['MX', '1 55 1234 5678'],
		['IT', '612345678'],
		['DE', '1 512 345 6789'],
		['DE', '0010123456789'],
		['US', '011 4420794'],
		['CI', '0013105667'],
		['CI', '0013205667'],
		['GY', '0013108065'],
		// After the exit code is nothing that has the length of a number.
		['DK', '0076949538'],
	])('%s rejects %j', (country, entered) => {
		expect(refused(() => chatId(entered, country)).message).toMatch(/^'Chat ID' cannot be '/);
	});

	test.each(['0151 234567 ext. 5', "'0151 234567", 'Ada', '0151\n234567'])(
		'rejects what is not one number: %j',
		(entered) => {
			expect(refused(() => chatId(entered, 'DE')).message).toBe(`'Chat ID' cannot be '${entered}'`);
		},
	);

	test.each([
		['DE', 'DE'],
		[' gb ', 'GB'],
	])('reads the code %j', (entered, code) => {
		expect(country(entered)).toBe(code);
	});

	test.each([
		['UK', 'is not the code of a country'],
		['constructor', 'is not the code of a country'],
		[49, 'is not the code of a country'],
		['', 'is empty'],
		[undefined, 'is empty'],
	])('rejects the code %j', (entered, reason) => {
		expect(refused(() => country(entered)).message).toBe(`'Default Country' ${reason}`);
	});
});

describe('the identity', () => {
	test.each([
		['with and without the suffix', '4915123456789@c.us', '4915123456789'],
		[
			"with the gateway's and the network's suffix",
			'4915123456789@c.us',
			'4915123456789@s.whatsapp.net',
		],
		['with the trunk prefix in digits only', '49015123456789', '4915123456789'],
		['with the former mobile prefix of Mexico', '+52 1 55 1234 5678', '+52 55 1234 5678'],
		['without the ninth digit, in an ID', '552164180266@c.us', '5521964180266'],
		['with the trunk prefix and without the ninth digit', '5502164180266', '5521964180266'],
		['of a group with a suffix in capitals', '120363012345678901@G.US', '120363012345678901@g.us'],
	])('is the same %s', (_, one, other) => {
		expect(identityOf(chatId(one))).toBe(identityOf(chatId(other)));
	});

	test.each([
		['a landline and a mobile number of Argentina', '541123456789', '5491123456789'],
		['a landline and a mobile number of Brazil', '552133334444', '5521933334444'],
		['a radio and a mobile number of Brazil', '552178123456', '5521978123456'],
		['the former and the present numbers of Ivory Coast', '22545123456', '2250745123456'],
		['a number of an unknown range and one without its zero', '26301312345', '2631312345'],
		['a person and a group', '4915123456789', '4915123456789@g.us'],
		['groups whose letters differ in case', 'AbC@g.us', 'abc@g.us'],
	])('differs for %s', (_, one, other) => {
		expect(identityOf(chatId(one))).not.toBe(identityOf(chatId(other)));
	});
});

test('a number that looks rounded is accepted as text, and a shorter one as it is', () => {
	expect(refused(() => chatId(491_512_000_000)).message).toContain('enter all digits as text');
	expect(chatId('+491512000000')).toBe('491512000000');
	expect(chatId('491512000000')).toBe('491512000000');
	expect(chatId(491_512_340_000)).toBe('491512340000');
	expect(chatId(12_125_000_000)).toBe('12125000000');
});
