import { chatId } from '../../../gateway/text/chatId';
import type { Country } from '../../../gateway/text/countries';
import { refused } from '../../harness/refused';

const reasonOf = (entered: string, country: Country) =>
	refused(() => chatId(entered, country)).message.replace(`'Chat ID' cannot be '${entered}': `, '');

const WITH_PLUS = 'enter it with + and its country code';
const invalid = (country: Country) =>
	`it is not a valid number in ${country}: check it, or ${WITH_PLUS}`;
const perhaps = (numbers: string) => `it may be ${numbers}: ${WITH_PLUS}`;

test.each<[Country, string, string]>([
	['DE', '49 (0)151 23456789', '4915123456789'],
	['DE', '1701234567.0', '491701234567'],
	['IT', '0343 12345', '39034312345'],
	['HU', '06 20 123 4567', '36201234567'],
	['GB', '01481 256789', '441481256789'],
	// The country no longer dials this zero.
	['PL', '022 621 10 10', '48226211010'],
	// They have no area codes.
	['LI', '791 23 45', '4237912345'],
	// The former forms of mobile numbers.
	['BR', '(11) 9688-3193', '551196883193'],
	['MX', '5215512345678', '5215512345678'],
	// A zero is left of 00, or lost of 06.
	['AE', '0971 50 134 7881', '971501347881'],
	['HU', '6201234567', '36201234567'],
	// Digits only, or the groups of the country.
	['CN', '19015283978', '8619015283978'],
	['CN', '190 1528 3978', '8619015283978'],
	['BR', '51-98765-4321', '5551987654321'],
	['HU', '0670/213-5394', '36702135394'],
	['US', '501-234-5678', '15012345678'],
	['US', '4915123456789', '4915123456789'],
	// It is also a landline of Chile, but a complete mobile number at home.
	['CN', '15633313654', '8615633313654'],
])('%s accepts %j', (country, entered, id) => {
	expect(chatId(entered, country)).toBe(id);
});

test.each<[Country, string, string]>([
	['ID', '0062812345678', '62812345678'],
	['ID', '001 44 20 7946 0958', '442079460958'],
	['ID', '007 1 212 555 0123', '12125550123'],
	// A valid number wins over one that is not.
	['GY', '0013108065', '13108065'],
	// Numbers and country codes that are not in use yet.
	['DE', '+49 151 2345', '491512345'],
	['US', '0044 7700 900123', '447700900123'],
	['US', '00999 123 456', '999123456'],
])('%s takes %j as it is', (country, entered, id) => {
	expect(chatId(entered, country)).toBe(id);
});

const UNCLEAR_ZERO = 'the zero in brackets may or may not be dialled from abroad';
test.each<[Country, string, string]>([
	['DE', '1-901-528-3978', perhaps('+19015283978')],
	['CN', '1-901-528-3978', perhaps('+8619015283978 or +19015283978')],
	['DE', '04915123456789', perhaps('+494915123456789 or +4915123456789')],
	['DE', '0351 912 345 678', perhaps('+49351912345678 or +351912345678')],
	['BR', '43 (3322) 1234', perhaps('+554333221234 or +4333221234')],
	['AX', '994467232442', perhaps('+467232442 or +994467232442')],
	['LU', '15882855099', perhaps('+352855099 or +15882855099')],
	['GB', '0151 23456789', invalid('GB')],
	['LU', '56235040056', perhaps('+35256235040056 or +56235040056')],
	['US', '07408 765318', invalid('US')],
	['BR', '51 987654321', perhaps('+5551987654321 or +51987654321')],
	['DE', '0971 50 134 7881', perhaps('+49971501347881 or +971501347881')],
	['DE', '15123456789', perhaps('+4915123456789 or +15123456789')],
	['DE', '4921 55270769', perhaps('+49492155270769 or +492155270769')],
	['DE', '0151 2345', invalid('DE')],
	// Landlines at home, and mobile numbers abroad.
	['DE', '0351-912409520', perhaps('+49351912409520 or +351912409520')],
	// A landline with its country code, or another one that lost its zero.
	['DE', '4952495402289', perhaps('+494952495402289 or +4952495402289')],
	['PH', '63 020 8915', perhaps('+63630208915 or +63208915')],
	['IT', '+39 (0)331 123456', UNCLEAR_ZERO],
	// A zero for the line out, or one too many, is not the first of 00.
	['DE', '0 0176 23456781', 'it begins with two zeros apart'],
	// Americans dial 011. It is not a zero before a Chinese carrier.
	['CN', '011 86 131 8063 4547', invalid('CN')],
	['US', '0123456789', invalid('US')],
	['AU', '0011 44 7700 900123', perhaps('+447700900123')],
	['US', '44 20 7946 0958', perhaps('+442079460958')],
	['DE', '01.12.2024', 'it looks like a date'],
	['DE', '030 1234567/8912345', 'it may be two numbers with a slash between them'],
])('%s rejects %s: %s', (country, entered, reason) => {
	expect(reasonOf(entered, country)).toBe(reason);
});

test.each<[Country, string]>([
	['AT', '58801-40110'],
	['DE', '0151 234567 ext. 5'],
	['MX', '1 55 1234 5678'],
	// Only Polish landlines had a zero.
	['PL', '0501234567'],
	['CA', '0163 04545050'],
	['IT', '2345678'],
])('%s rejects %j', (country, entered) => {
	expect(refused(() => chatId(entered, country)).message).toMatch(/^'Chat ID' cannot be '/);
});
