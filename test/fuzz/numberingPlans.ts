import fc from 'fast-check';
import {
	type NumberingPlan,
	type NumberType,
	PhoneNumberFormat,
	PhoneNumberUtil,
} from 'google-libphonenumber';
import { isValidPhoneNumber } from 'libphonenumber-js/max';

import type { Country } from '../../gateway/text/countries';

/** Google's own numbers and formats, from another package and another version than the bundled metadata. */
const google = PhoneNumberUtil.getInstance();

export interface Sample {
	country: Country;
	countryCode: string;
	/** The number without country code, and without what is dialled only within the country. */
	number: string;
	/** Country code and number. */
	digits: string;
	/** The number in groups, as written abroad. */
	groups: string[];
	/** As written in the country. */
	national: string;
	/** What is dialled before the number within the country. */
	trunkPrefix: string;
	/** A mailbox or a pager, which needs a plus. */
	isMachine: boolean;
	/** As written in the same town. */
	local: string[];
}

/** The example number of every type of number in the country, and about `count` random valid numbers. */
export function samplesOf(country: Country, count: number, seed: number): Sample[] {
	const plan = google.getMetadataForRegion(country);
	const types = numberTypes(plan);
	const numbers = types.flatMap((type) => [
		type.getExampleNumber() ?? '',
		...randomTexts(type.getNationalNumberPattern()!, Math.ceil(count / types.length), seed),
	]);
	return [...new Set(numbers)]
		.map((number) => sampleOf(country, number, plan))
		.filter((sample) => sample !== undefined);
}

/** What is dialled before a foreign number: `00` in most countries, and other codes with the same meaning. */
export function exitCodes(country: Country): string[] {
	const pattern = google.getMetadataForRegion(country).getInternationalPrefix();
	return pattern ? [...new Set(randomTexts(pattern, 20, 15))] : [];
}

export const countryCodeOf = (country: Country): string =>
	String(google.getMetadataForRegion(country).getCountryCode());

/** The numbers of the country that are usually written like this: digits only, the country's groups, or digits after its code. */
export function usualNumbers(text: string, country: Country): string[] {
	const plan = google.getMetadataForRegion(country);
	const [code, trunkPrefix] = [String(plan.getCountryCode()), plan.getNationalPrefix() ?? ''];
	const digits = text.replace(/\D/g, '');
	const isPlain = text === digits;
	// Brackets after digits are around an area code, which is after a country code.
	const hasCode = /\d.*\(/.test(text);
	// Some write a space after the trunk prefix, as in 0 533, and some do not.
	const groups = (written: string) =>
		written
			.match(/\d+/g)!
			.join(' ')
			.replace(new RegExp(`^${trunkPrefix} ?`), '');
	const numbers = [digits, `${code}${digits}`].concat(
		digits.startsWith(trunkPrefix) ? code + digits.slice(trunkPrefix.length) : [],
	);
	return numbers.filter((number, index) => {
		const parsed = valid(number);
		if (!parsed || !number.startsWith(code)) return false;
		const national = google.format(parsed, PhoneNumberFormat.NATIONAL);
		return isPlain || (index > 0 && !hasCode && groups(national) === groups(text));
	});
}

/** Whether it is a number that is written with all of its digits. */
function valid(digits: string) {
	try {
		const parsed = google.parse(`+${digits}`);
		const isWhole = google.format(parsed, PhoneNumberFormat.E164) === `+${digits}`;
		const isValid = google.isValidNumber(parsed) || isValidPhoneNumber(`+${digits}`);
		return isWhole && isValid ? parsed : undefined;
	} catch {
		return undefined;
	}
}

const randomTexts = (pattern: string, count: number, seed: number) =>
	fc.sample(fc.stringMatching(new RegExp(`^(?:${pattern})$`)), { numRuns: count, seed });

const TYPES: NumberType[] = [
	...(['FixedLine', 'Mobile', 'TollFree', 'PremiumRate', 'SharedCost'] as const),
	...(['PersonalNumber', 'Voip', 'Pager', 'Uan', 'Voicemail'] as const),
];
const numberTypes = (plan: NumberingPlan) =>
	TYPES.map((type) => plan[`get${type}`]()).filter((type) => type?.getNationalNumberPattern());

function sampleOf(country: Country, number: string, plan: NumberingPlan): Sample | undefined {
	const countryCode = String(plan.getCountryCode());
	const digits = countryCode + number;
	// The gateway accepts no other lengths.
	if (digits.length < 7 || digits.length > 15) return undefined;
	const parsed = google.parse(`+${digits}`);
	const isUnchanged = google.format(parsed, PhoneNumberFormat.E164) === `+${digits}`;
	if (!isUnchanged || !google.isValidNumberForRegion(parsed, country)) return undefined;
	// The bundled metadata is newer, so some ranges are no longer in use.
	if (!isValidPhoneNumber(`+${digits}`)) return undefined;
	const national = google.format(parsed, PhoneNumberFormat.NATIONAL);
	const groups = google
		.format(parsed, PhoneNumberFormat.INTERNATIONAL)
		.replace(`+${countryCode}`, '')
		.split(/[ -]/)
		.filter((group) => group !== '');
	const isMachine = (['Pager', 'Voicemail'] as const).some((type) => {
		const pattern = plan[`get${type}`]().getNationalNumberPattern();
		return pattern && new RegExp(`^(?:${pattern})$`).test(number);
	});
	const areaLength = google.getLengthOfGeographicalAreaCode(parsed);
	return {
		...{ country, countryCode, number, digits, groups, national, isMachine },
		trunkPrefix: plan.getNationalPrefix() ?? '',
		local: [number.slice(areaLength)].filter((form) => form !== number && isLocal(form, plan)),
	};
}

/**
 * Towns have no numbers that begin with 0, which would be dialled as long-distance. They have up to eight digits, and
 * mobile numbers in Brazil nine. The longer ones of some plans are numbers with extensions.
 */
const isLocal = (form: string, plan: NumberingPlan) =>
	/^[1-9]\d{2,7}$/.test(form) || (/^9\d{8}$/.test(form) && plan.getCountryCode() === 55);
