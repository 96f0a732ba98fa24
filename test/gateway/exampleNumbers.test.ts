import { PhoneNumberFormat, PhoneNumberType, PhoneNumberUtil } from 'google-libphonenumber';

import { chatId } from '../../gateway/chatId';
import { InvalidInput } from '../../gateway/invalidInput';
import type { Country } from '../../gateway/phoneNumber';

/** Google's own example numbers and formats, from another package and another version than the bundled metadata. */
const google = PhoneNumberUtil.getInstance();

interface Example {
	country: Country;
	/** Country code and number. */
	digits: string;
	countryCode: string;
	/** The number without what is dialled only within the country. */
	number: string;
	/** The number in groups, as written abroad. */
	groups: string[];
	/** As written in the country. */
	national: string;
	/** What is dialled before the number within the country. */
	trunkPrefix: string;
}

function examplesOf(region: string): Example[] {
	const trunkPrefix = google.getMetadataForRegion(region).getNationalPrefix();
	const examples = Object.values(PhoneNumberType)
		.map((type) => (type < 0 ? null : google.getExampleNumberForType(region, type)))
		.filter((example) => example !== null)
		.map((example): Example => {
			const countryCode = String(example.getCountryCode());
			const number = google.getNationalSignificantNumber(example);
			const [, ...groups] = google
				.format(example, PhoneNumberFormat.INTERNATIONAL)
				.replace(`+${countryCode}`, '')
				.split(/[ -]/);
			return {
				country: region as Country,
				digits: countryCode + number,
				countryCode,
				number,
				groups,
				national: google.format(example, PhoneNumberFormat.NATIONAL),
				trunkPrefix,
			};
		});
	return [...new Map(examples.map((example) => [example.digits, example])).values()];
}

const EXAMPLES = google
	.getSupportedRegions()
	.flatMap(examplesOf)
	.filter(({ digits }) => digits.length >= 7);

type Spelling = (example: Example) => string | undefined;

const spaced = ({ countryCode, groups }: Example) => `+${countryCode} ${groups.join(' ')}`;
const ifZero =
	(spelling: Spelling): Spelling =>
	(example) =>
		example.trunkPrefix === '0' ? spelling(example) : undefined;

const INTERNATIONAL: Record<string, Spelling> = {
	'E.164': ({ digits }) => `+${digits}`,
	'digits only': ({ digits }) => digits,
	spaces: spaced,
	dots: (example) => spaced(example).replaceAll(' ', '.'),
	hyphens: (example) => spaced(example).replaceAll(' ', '-'),
	'area code in brackets': ({ countryCode, groups: [area, ...rest] }) =>
		rest.length > 0 ? `+${countryCode} (${area}) ${rest.join(' ')}` : undefined,
	'trunk prefix in brackets': ifZero(
		({ countryCode, groups }) => `+${countryCode} (0)${groups.join(' ')}`,
	),
	'trunk prefix without brackets': ifZero(
		({ countryCode, groups }) => `+${countryCode} 0${groups.join(' ')}`,
	),
	'00': ({ digits }) => `00${digits}`,
	'00 and spaces': (example) => spaced(example).replace('+', '00 '),
};

const NATIONAL: Record<string, Spelling> = {
	'as in the country': ({ national }) => national,
	'national digits': ({ national }) => national.replace(/\D/g, ''),
	'national with dots': ({ national }) => national.replace(/[()]/g, '').replace(/[ -]/g, '.'),
	'national with hyphens': ({ national }) => national.replace(/[()]/g, '').replace(/[ -]/g, '-'),
	'trunk prefix and number': ifZero(({ number }) => `0${number}`),
	'no plus sign': ({ digits }) => digits,
	'no leading zero': ({ number }) => number,
	'E.164': ({ digits }) => `+${digits}`,
	'00': ({ digits }) => `00${digits}`,
};

/** How many numbers are accepted, and those whose digits are wrong. */
function tried(spellings: Record<string, Spelling>, countryOf: (example: Example) => unknown) {
	const result = { count: 0, accepted: 0, wrong: [] as string[] };
	for (const [name, spelling] of Object.entries(spellings)) {
		for (const example of EXAMPLES) {
			const entered = spelling(example);
			if (entered === undefined) continue;
			result.count += 1;
			try {
				const id = chatId(entered, countryOf(example) as Country | undefined);
				result.accepted += 1;
				if (id === example.digits) continue;
				result.wrong.push(`${example.country}, ${name}: ${entered} became ${id}`);
			} catch (thrown) {
				if (!(thrown instanceof InvalidInput)) throw thrown;
			}
		}
	}
	return result;
}

test('accepts numbers of all countries without a Default Country', () => {
	const { count, accepted, wrong } = tried(INTERNATIONAL, () => undefined);
	expect(count).toBeGreaterThan(10_000);
	expect(wrong).toEqual([]);
	expect(accepted / count).toBeGreaterThan(0.99);
});

test('accepts numbers of all countries with their country as Default Country', () => {
	const { count, accepted, wrong } = tried(NATIONAL, ({ country }) => country);
	expect(count).toBeGreaterThan(9_000);
	expect(wrong).toEqual([]);
	expect(accepted / count).toBeGreaterThan(0.98);
});

test.each(['DE', 'US', 'AU', 'IT', 'RU', 'JP'])(
	'with the Default Country %s, accepts numbers of other countries after a plus sign',
	(country) => {
		const { spaces, dots, hyphens } = INTERNATIONAL;
		const { count, accepted, wrong } = tried(
			{ spaces: spaces!, dots: dots!, hyphens: hyphens! },
			() => country,
		);
		expect(wrong).toEqual([]);
		expect(accepted).toBe(count);
	},
);
