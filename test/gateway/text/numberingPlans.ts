import fc from 'fast-check';
import {
	type NumberingPlan,
	type NumberType,
	PhoneNumberFormat,
	PhoneNumberUtil,
} from 'google-libphonenumber';

import type { Country } from '../../../gateway/text/countries';

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
	/** As written in the same town. */
	local: string[];
}

/** The example number and `count` random valid numbers of every type of number in the country. */
export function samplesOf(country: Country, count: number, seed: number): Sample[] {
	const plan = google.getMetadataForRegion(country);
	const numbers = numberTypes(plan).flatMap((type) => [
		type.getExampleNumber() ?? '',
		...randomTexts(type.getNationalNumberPattern()!, count, seed),
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
	// Since 2024 these begin with 01. The bundled metadata knows, Google's does not yet.
	if (country === 'BJ' && number.length === 8) return undefined;
	const parsed = google.parse(`+${digits}`);
	const isUnchanged = google.format(parsed, PhoneNumberFormat.E164) === `+${digits}`;
	if (!isUnchanged || !google.isValidNumberForRegion(parsed, country)) return undefined;
	const national = google.format(parsed, PhoneNumberFormat.NATIONAL);
	const groups = google
		.format(parsed, PhoneNumberFormat.INTERNATIONAL)
		.replace(`+${countryCode}`, '')
		.split(/[ -]/)
		.filter((group) => group !== '');
	const areaLength = google.getLengthOfGeographicalAreaCode(parsed);
	return {
		...{ country, countryCode, number, digits, groups, national },
		trunkPrefix: plan.getNationalPrefix() ?? '',
		local: areaLength === 0 ? [] : localForms(number, areaLength, national, plan),
	};
}

/** Without its area code, and in the lengths that can be dialled only locally. */
function localForms(
	number: string,
	areaLength: number,
	national: string,
	plan: NumberingPlan,
): string[] {
	const forms = [areaLength, ...plan.getFixedLine().possibleLengthLocalOnlyArray()].map(
		(length, index) => number.slice(index === 0 ? length : -length),
	);
	return forms
		.filter((form) => form.length < number.length && isLocal(form, plan))
		.flatMap((form) => [form, written(form, national)]);
}

/**
 * Towns have no numbers that begin with 0, which would be dialled as long-distance. They have up to eight digits, and
 * mobile numbers in Brazil nine. The longer ones of some plans are numbers with extensions.
 */
const isLocal = (form: string, plan: NumberingPlan) =>
	/^[1-9]\d{2,7}$/.test(form) || (/^9\d{8}$/.test(form) && plan.getCountryCode() === 55);

/** With the separators of the national format, if the digits are the same. */
function written(form: string, national: string): string {
	const [end = ''] = new RegExp(`(?:\\d\\D*){${form.length}}$`).exec(national) ?? [];
	return end.replace(/\D/g, '') === form ? end : `${form.slice(0, 3)}-${form.slice(3)}`;
}
