import { getCountries, isValidPhoneNumber } from 'libphonenumber-js/min';

import { chatId, identityOf } from '../../../gateway/text/chatId';
import { InvalidInput } from '../../../gateway/invalidInput';
import type { Country } from '../../../gateway/text/countries';
import { depth } from '../../harness/depth';
import { countryCodeOf, exitCodes, type Sample, samplesOf } from './numberingPlans';

const COUNTRIES = getCountries();
const SEED = 15;
/** Of every number type of every country. */
const COUNT = depth(2, 40);

type Entered = [text: string, defaultCountry: Country | undefined];
type Spelling = (sample: Sample, caller: Country, exitCode: string) => Entered | undefined;

const withoutBrackets = (text: string) => text.replace(/[()]/g, '');
const abroad = ({ countryCode, groups }: Sample, separator = ' ') =>
	[countryCode, ...groups].join(separator);
const hasZero = ({ trunkPrefix, number }: Sample) => trunkPrefix === '0' && !number.startsWith('0');

/** All ways to write a complete number. */
const COMPLETE: Record<string, Spelling> = {
	'E.164': ({ digits, country }) => [`+${digits}`, country],
	'plus and spaces, with another Default Country': (sample, caller) => [
		`+${abroad(sample)}`,
		caller,
	],
	'plus and dots': (sample) => [`+${abroad(sample, '.')}`, undefined],
	'plus and brackets': ({ countryCode, groups: [area, ...rest] }) =>
		rest.length > 0 ? [`+${countryCode} (${area}) ${rest.join(' ')}`, undefined] : undefined,
	'plus and trunk prefix in brackets': (sample) =>
		sample.trunkPrefix === '0'
			? [`+${sample.countryCode} (0)${sample.groups.join(' ')}`, undefined]
			: undefined,
	'00': ({ digits }) => [`00${digits}`, undefined],
	'00 with another Default Country': ({ digits }, caller) => [`00${digits}`, caller],
	'the exit code of another country': ({ digits }, caller, exitCode) => [exitCode + digits, caller],
	'exit code and spaces': (sample, caller, exitCode) => [`${exitCode} ${abroad(sample)}`, caller],
	'digits only': ({ digits }) => [digits, undefined],
	'country code and spaces': (sample) => [abroad(sample), sample.country],
	national: ({ national, country }) => [national, country],
	'national digits': ({ national, country }) => [national.replace(/\D/g, ''), country],
	'national with dots': ({ national, country }) => [
		withoutBrackets(national).replace(/[ -]/g, '.'),
		country,
	],
	'trunk prefix and number': (sample) =>
		hasZero(sample) ? [`0${sample.number}`, sample.country] : undefined,
};

/** Counts what was entered and accepted. `wrong` has the messages that would have gone to someone else. */
class Tally {
	count = 0;
	accepted = 0;
	wrong: string[] = [];

	enter([text, country]: Entered, isRight: (id: string) => boolean): void {
		this.count += 1;
		try {
			const id = chatId(text, country);
			this.accepted += 1;
			if (!isRight(id)) this.wrong.push(`${country}: ${text} became ${id}`);
		} catch (thrown) {
			if (!(thrown instanceof InvalidInput)) throw thrown;
		}
	}
}

/** Gabon's numbers have a new form, and Google writes both in the same way: they are the same phone. */
const isSame = (id: string, { digits, country }: Sample) =>
	id === digits || (country === 'GA' && id === digits.replace(/^241(?=\d{7}$)/, '2410'));

const codes = new Map(COUNTRIES.map((country) => [country, exitCodes(country)]));
const samples = COUNTRIES.flatMap((country) => samplesOf(country, COUNT, SEED));

test('accepts complete numbers of all countries in all spellings, and none as another number', () => {
	const results = Object.entries(COMPLETE).map(([name, spelling], which) => {
		const result = new Tally();
		samples.forEach((sample, index) => {
			// Every number in half of the spellings.
			if ((index + which) % 2 === 0) return;
			const caller = COUNTRIES[(index * 7) % COUNTRIES.length]!;
			const itsCodes = codes.get(caller)!;
			const entered = spelling(sample, caller, itsCodes[index % itsCodes.length] ?? '00');
			if (entered) result.enter(entered, (id) => isSame(id, sample));
		});
		return { name, ...result };
	});

	expect(results.flatMap(({ wrong }) => wrong)).toEqual([]);
	const count = results.reduce((sum, result) => sum + result.count, 0);
	expect(count).toBeGreaterThan(18_000);
	const accepted = results.reduce((sum, result) => sum + result.accepted, 0);
	expect(accepted / count).toBeGreaterThan(0.985);
	const rare = results.filter((result) => result.accepted / result.count < 0.97);
	expect(rare.map(({ name }) => name)).toEqual([]);
});

/** Ways to write an address: the same person each time, though a gateway gets different texts. */
const ADDRESSES: Record<string, (sample: Sample) => string | undefined> = {
	digits: ({ digits }) => digits,
	'E.164': ({ digits }) => `+${digits}`,
	'00': ({ digits }) => `00${digits}`,
	"the gateway's ID": ({ digits }) => `${digits}@c.us`,
	"the network's ID": ({ digits }) => `${digits}@S.WhatsApp.net`,
	groups: (sample) => `+${abroad(sample)}`,
	// The library does not know some ranges that Google knows, where the zero may be part of the number.
	'digits with the trunk prefix': (sample) =>
		hasZero(sample) && sample.digits.length < 15 && isValidPhoneNumber(`+${sample.digits}`)
			? `${sample.countryCode}0${sample.number}`
			: undefined,
	'with the former 1 of Mexico': ({ countryCode, number }) =>
		countryCode === '52' ? `521${number}` : undefined,
	'without the ninth digit of Brazil': ({ digits }) =>
		/^55\d\d9[689]\d{7}$/.test(digits) ? digits.slice(0, 4) + digits.slice(5) : undefined,
};

// All samples are different numbers, so no two of them have the same identity.
test('gives each number the identity that is the number itself, in all spellings', () => {
	const counts = Object.entries(ADDRESSES).map(([name, addressOf]) => {
		const addresses = samples
			.map((sample) => ({ sample, address: addressOf(sample) }))
			.filter(({ address }) => address !== undefined);
		const wrong = addresses.filter(
			({ sample, address }) => identityOf(chatId(address)) !== sample.digits,
		);
		expect(wrong.map(({ sample, address }) => `${sample.country}: ${address}`)).toEqual([]);
		return { name, count: addresses.length };
	});
	expect(counts.filter(({ count }) => count < 2)).toEqual([]);
	expect(new Set(samples.map(({ country }) => country)).size).toBe(COUNTRIES.length);
});

test('takes no number without its area code for another number', () => {
	const result = new Tally();
	for (const sample of samples) {
		for (const text of sample.local) {
			result.enter([text, sample.country], (id) => isSame(id, sample));
		}
	}
	expect(result.wrong).toEqual([]);
	expect(result.count).toBeGreaterThan(1_200);
});

// The digits are those of another number too: DE 4915 1234567 in Leer, and a mobile number after 49.
test('takes a number without its zero for another number only if it begins with the country code', () => {
	const result = new Tally();
	for (const sample of samples) {
		const { number, country, countryCode, groups } = sample;
		// In Russia, 8 10 is the exit code even where a number begins with it.
		if (codes.get(country)!.some((code) => number.startsWith(code))) continue;
		const isRight = (id: string) => isSame(id, sample) || number.startsWith(countryCode);
		result.enter([number, country], isRight);
		result.enter([groups.join(' '), country], isRight);
	}
	expect(result.wrong).toEqual([]);
	expect(result.count).toBeGreaterThan(5_000);
});

test('takes a foreign number without plus sign for no number but one of the Default Country', () => {
	const result = new Tally();
	samples.forEach((sample, index) => {
		const caller = COUNTRIES[(index * 7) % COUNTRIES.length]!;
		const isRight = (id: string) => id === sample.digits || id.startsWith(countryCodeOf(caller));
		result.enter([sample.digits, caller], isRight);
	});
	expect(result.wrong).toEqual([]);
	expect(result.accepted / result.count).toBeGreaterThan(0.8);
});
