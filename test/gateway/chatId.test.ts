import fc from 'fast-check';

import { chatId } from '../../gateway/chatId';
import { InvalidInput } from '../../gateway/invalidInput';
import { refused } from './refused';

const ACCEPTED = /^[1-9]\d{6,14}(@c\.us)?$|^\d{5,30}(-\d{5,20})?@g\.us$|^\d{5,30}@newsletter$/;

describe('a recipient', () => {
	test.each<[string, unknown, string]>([
		['digits', '4915123456789', '4915123456789'],
		['a plus sign, brackets, blanks and a hyphen', '+49 (151) 234-567', '49151234567'],
		['two noughts in front', '0049 151 234567', '49151234567'],
		['dots', '+49.151.234.567', '49151234567'],
		['slashes', '+49/151/234567', '49151234567'],
		['a slash and blanks', '+49 151 / 234567', '49151234567'],
		['two noughts and slashes', '0049/151/234567', '49151234567'],
		['a plus sign and a blank', '+ 49 151 234567', '49151234567'],
		['the nought that is dialled inside the country only', '+49 (0) 151 234567', '49151234567'],
		['that nought after two noughts', '0049(0)151 234567', '49151234567'],
		['that nought with blanks inside', '+49 ( 0 )151 234567', '49151234567'],
		['that nought behind a hyphen', '+1-(0)-212-555-0100', '12125550100'],
		['that nought behind three digits', '+353 (0)1 234 5678', '35312345678'],
		['noughts in it', '+49 30 0123 0450', '493001230450'],
		['brackets in front', '+(49) 151 234567', '49151234567'],
		['blanks around', '  4915123456789\n', '4915123456789'],
		['blanks that do not break, and thin ones', '+49\u00a0151\u2009234567', '49151234567'],
		['dashes of a word processor', '+49\u2011151\u2013234\u2014567', '49151234567'],
		['marks that nobody sees', '\u202a+49 151\u200b 234567\u202c\ufeff', '49151234567'],
		['the whole number of a spreadsheet', '4915123456789.0', '4915123456789'],
		['the fewest digits in use', '2901234', '2901234'],
		['the most digits there are', '123456789012345', '123456789012345'],
		['a number', 4915123456789, '4915123456789'],
		['a big integer', 4915123456789n, '4915123456789'],
	])('may be a phone number with %s', (_, entered, id) => {
		expect(chatId(entered)).toBe(id);
	});

	test.each([
		['4915123456789@c.us', '4915123456789@c.us'],
		['2901234@c.us', '2901234@c.us'],
		['123456789012345@C.us', '123456789012345@c.us'],
		['120363041234567890@g.us', '120363041234567890@g.us'],
		['4915123456789-1600000000@g.us', '4915123456789-1600000000@g.us'],
		['120363041234567890@newsletter', '120363041234567890@newsletter'],
		[' 120363041234567890@G.US ', '120363041234567890@g.us'],
		['\u200e120363041234567890@Newsletter\u200e', '120363041234567890@newsletter'],
	])('may be the ID %j', (entered, id) => {
		expect(chatId(entered)).toBe(id);
	});

	test.each<[string, unknown]>([
		['a number without a country code', '0151 2345678'],
		['blanks without a country code’s sign', '49 151 234567'],
		['hyphens without that sign', '49-151-234567'],
		['brackets without that sign', '49 (151) 234567'],
		['brackets in front without that sign', '(49)151234567'],
		['dots without that sign', '49.151.234.567'],
		['slashes without that sign', '49/151/234567'],
		['a dash without that sign', '49151\u2013234567'],
		['a date', '2024-01-15'],
		['a date with dots', '15.01.2024'],
		['a date with slashes', '10/15/2024'],
		['a date and a time', '2024-01-15 10:30'],
		['a decimal fraction', '4915123456789.5'],
		['a decimal fraction of two digits', '49151234567.50'],
		['a decimal fraction of noughts', '4915123456.00'],
		['a decimal fraction behind a plus sign', '+4915123456789.0'],
		['a price behind a plus sign', '+1234567.50'],
		['a decimal comma', '+4915123456789,0'],
		['two numbers with a slash between', '+4915123456/4915198765'],
		['two numbers with a slash and blanks between', '+49 30 123456 / 654321'],
		['a number and its last digits', '+49 30 123456/57'],
		['a number and its last digits after blanks', '+49 30 1234 / 5'],
		['a nought in brackets further down', '+49 151 (0) 234567'],
		['a nought in brackets after too many digits', '+4915 (0) 1234567'],
		['an area code with its nought in brackets', '+49 (0151) 234567'],
		['an area code with its nought after a blank', '+49 ( 0151) 234567'],
		['that nought twice', '+49 (0) (0) 151 234567'],
		['that nought without a plus sign', '49 (0) 151 234567'],
		['a nought in front of all digits', '04915123456789'],
		['three noughts in front', '00049151234567'],
		['a plus sign and a nought', '+0151 234567'],
		['a separator at its end', '+49151234567-'],
		['a separator after the plus sign', '+-49151234567'],
		['too few digits', '123456'],
		['too few digits behind a plus sign', '+123 456'],
		['too many digits behind a plus sign', '+1234567 890123456'],
		['too many digits', '1234567890123456'],
		['a name', 'Ada Lovelace'],
		['a word with digits', 'call 4915123456789'],
		['an extension', '+49 151 234567 ext. 5'],
		['two numbers', '4915123456789,4915198765432'],
		['two numbers on two lines', '4915123456789\n4915198765432'],
		['a plus sign in the middle', '49+15123456789'],
		['two plus signs', '++4915123456789'],
		['a minus sign in front', '-4915123456789'],
		['a number that a spreadsheet wrote with an exponent', '4.91512E+12'],
		['digits of other scripts', '٤٩١٥١٢٣٤٥٦٧٨٩'],
		['digits of full width', '４９１５１２３４５６７８９'],
		['a hexadecimal number', '0x1234567890'],
		['a link', 'https://example.com/4915123456789'],
		['an e-mail address', 'ada@example.com'],
		['an ID of an unknown kind', '4915123456789@s.example.net'],
		['an ID that is the name of a built-in', '4915123456789@constructor'],
		['an ID with a plus sign', '+4915123456789@c.us'],
		['an ID without digits', '@c.us'],
		['an ID of a person with too few digits', '123456@c.us'],
		['an ID of a person with too many digits', '1234567890123456@c.us'],
		['an ID of a person with a nought in front', '04915123456789@c.us'],
		['an ID with blanks inside', '49151 23456789@c.us'],
		['an ID with two signs', '4915123456789@c.us@g.us'],
		['an ID with more behind it', '4915123456789@c.usa'],
		['an ID with a line behind it', '4915123456789@c.us\nx'],
		['an ID of a person with a hyphen', '49151-23456789@c.us'],
		['brackets only', '()'],
		['a plus sign only', '+'],
		['a fraction', 4915123456789.5],
		['a negative number', -4915123456789],
		['zero', 0],
		['a number too small', 123456],
		['a number that has lost digits', 2 ** 53],
		['a number beyond all digits', 1e21],
		['no number', NaN],
		['infinity', Infinity],
		['a negative big integer', -4915123456789n],
		['a list', ['4915123456789']],
		['a list of nothing', []],
		['an object', { id: '4915123456789' }],
		['an object without a prototype', Object.create(null)],
		['yes', true],
		['no', false],
		['a symbol', Symbol('4915123456789')],
		['a function', () => '4915123456789'],
		['a date', new Date(0)],
	])('cannot be %s, and the message names the field', (_, entered) => {
		const { message, description } = refused(() => chatId(entered));
		expect(message).toMatch(/^'Chat ID' cannot be /);
		expect(description).toMatch(/country code, e\.g\. 4915123456789 or \+49 151 23456789/);
		expect(description).toMatch(/@c\.us, @g\.us or @newsletter/);
	});

	test.each([[''], ['  \n'], ['\u200b\ufeff'], [undefined], [null]])(
		'cannot be left out: %j',
		(entered) => {
			const { message, description } = refused(() => chatId(entered));
			expect(message).toBe("'Chat ID' is empty");
			expect(description).toMatch(/country code, e\.g\. 4915123456789/);
		},
	);

	test('that is refused is quoted, but not at any length', () => {
		expect(refused(() => chatId('Ada')).message).toBe("'Chat ID' cannot be 'Ada'");
		expect(refused(() => chatId('x'.repeat(5000))).message.length).toBeLessThan(80);
	});

	/** What comes of it; undefined where it is refused in words. */
	function outcome(entered: unknown): string | undefined {
		try {
			return chatId(entered);
		} catch (thrown) {
			expect(thrown).toBeInstanceOf(InvalidInput);
			return undefined;
		}
	}

	// The nought in brackets is never dialled from abroad: with it, a stranger is written to, or no one.
	test.each(['49 (0) 151 23456789', '49(0)151 23456789', '+49 (0151) 23456789'])(
		'never gets the nought that is dialled inside the country only: %s',
		(entered) => {
			expect([undefined, '4915123456789']).toContain(outcome(entered));
		},
	);

	// One nought behind the dot is how spreadsheets write whole numbers; two or more may be digits of the number.
	test.each([
		['4915123456.00', '491512345600'],
		['49151234.0000', '491512340000'],
	])('never loses digits without a word: %s', (entered, digits) => {
		expect([undefined, digits]).toContain(outcome(entered));
	});

	// Nobody breaks a number in the middle: those are two, and together a third person's.
	test.each(['+2901234\n2905678', '+1234567\r\n7654321', '+2901234\u20282905678'])(
		'is never put together from two lines: %j',
		(entered) => {
			expect(outcome(entered)).toBeUndefined();
		},
	);
});

describe('whatever is typed', () => {
	const nearlyRight = fc.oneof(
		fc.stringMatching(/^ ?(\+|00)?[ \d().\-/]{5,18} ?$/),
		fc.stringMatching(/^[\d-]{3,22}@(c\.us|g\.us|newsletter|lid|C\.US)\n?$/),
		fc.string({ unit: fc.constantFrom(...'0123456789+-()./ @cusgnewlt\u200b\u00a0\n') }),
	);
	const anything = fc.oneof(
		nearlyRight,
		fc.string({ unit: 'binary' }),
		fc.double(),
		fc.integer(),
		fc.bigInt(),
		fc.anything({ withBigInt: true, withDate: true, withNullPrototype: true, withMap: true }),
	);

	test('is an ID that the gateway takes, or is refused', () => {
		fc.assert(
			fc.property(anything, (entered) => {
				let id: string;
				try {
					id = chatId(entered);
				} catch (thrown) {
					expect(thrown).toBeInstanceOf(InvalidInput);
					return;
				}
				expect(id).toMatch(ACCEPTED);
			}),
			{ numRuns: 3000 },
		);
	});

	test('an ID that was accepted once is accepted again, unchanged', () => {
		fc.assert(
			fc.property(nearlyRight, (entered) => {
				let id: string;
				try {
					id = chatId(entered);
				} catch {
					return;
				}
				expect(chatId(id)).toBe(id);
			}),
			{ numRuns: 2000 },
		);
	});

	test('a number that is too large, too small, broken or negative never becomes a recipient', () => {
		const unusable = fc
			.double()
			.filter((number) => !Number.isSafeInteger(number) || number < 1_000_000);
		fc.assert(
			fc.property(unusable, (number) => {
				expect(refused(() => chatId(number)).message).toMatch(/^'Chat ID' cannot be /);
			}),
		);
	});
});

describe('separators', () => {
	const number = fc.stringMatching(/^[1-9]\d{6,14}$/);
	const invisible = fc.constantFrom('\u200b', '\u200e');
	const separator = fc.constantFrom(
		...[' ', '-', '.', '(', ')', ') ', ' (', ' - '],
		...['\u00a0', '\u2009', '\u2011', '\u2013', '\t'],
	);
	const separators = (one: fc.Arbitrary<string>) => fc.array(one, { minLength: 14, maxLength: 14 });
	const spread = (digits: string, between: string[]) =>
		[...digits].map((digit, at) => (at === 0 ? '' : between[at - 1]) + digit).join('');

	test('behind a sign of the country code never change the digits, and never keep them from being sent to', () => {
		fc.assert(
			fc.property(
				number,
				separators(fc.oneof(fc.constant(''), invisible, separator)),
				fc.constantFrom('+', '00', '+ ', ' +', '\u202a+', '00 ', '\u200e00'),
				fc.constantFrom('', ' ', '\u202c'),
				(digits, between, before, after) => {
					const formatted = `${before}${spread(digits, between)}${after}`;
					// Two forms that may say something else: a nought in brackets, and a decimal fraction.
					const seen = formatted.replace(/[\u200b\u200e\u202a\u202c]/g, '').trim();
					fc.pre(!/\(\s*0/.test(seen) && !/\.\d{1,2}$/.test(seen));
					expect(chatId(formatted)).toBe(digits);
				},
			),
			{ numRuns: 2000 },
		);
	});

	test('without that sign always keep a number from being sent to', () => {
		fc.assert(
			fc.property(
				number,
				separators(fc.oneof(fc.constant(''), invisible, separator, fc.constant('/'))),
				(digits, between) => {
					const formatted = spread(digits, between);
					const seen = formatted.replace(/[\u200b\u200e]/g, '');
					fc.pre(/\D/.test(seen) && !/^\d+\.0$/.test(seen));
					expect(refused(() => chatId(formatted)).message).toMatch(/^'Chat ID' cannot be '/);
				},
			),
			{ numRuns: 2000 },
		);
	});

	test('that nobody sees never change the digits', () => {
		fc.assert(
			fc.property(number, separators(invisible), (digits, between) => {
				expect(chatId(spread(digits, between))).toBe(digits);
			}),
		);
	});
});
