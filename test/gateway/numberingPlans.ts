import fc from 'fast-check';
import { PhoneNumberFormat, PhoneNumberUtil } from 'google-libphonenumber';

import { COUNTRIES, type Country } from '../../gateway/phoneNumber';

/** Google's own numbers and formats, from another package and another version than the bundled metadata. */
const google = PhoneNumberUtil.getInstance();

export interface Sample {
	country: Country;
	countryCode: string;
	/** The number without country code and without what is dialled only within the country. */
	number: string;
	/** Country code and number. */
	digits: string;
	/** The number in groups, as written abroad. */
	groups: string[];
	/** As written in the country. */
	national: string;
	/** What is dialled before the number within the country. */
	trunkPrefix: string;
	/** As people write it who live there: without its area code, or in one of the country's short lengths. */
	local: string[];
}

type Metadata = ReturnType<typeof google.getMetadataForRegion>;
type Description = ReturnType<Metadata['getGeneralDesc']>;

function descriptions(plan: Metadata): Description[] {
	return [
		plan.getFixedLine(),
		plan.getMobile(),
		plan.getTollFree(),
		plan.getPremiumRate(),
		plan.getSharedCost(),
		plan.getPersonalNumber(),
		plan.getVoip(),
		plan.getPager(),
		plan.getUan(),
		plan.getVoicemail(),
	].filter((description) => description?.getNationalNumberPattern());
}

const texts = (pattern: string) => fc.stringMatching(new RegExp(`^(?:${pattern})$`));

/** What callers in the country may dial before a foreign number. */
export const exitCodes = (country: Country, count: number): string[] => {
	const pattern = google.getMetadataForRegion(country).getInternationalPrefix() ?? '';
	return [...new Set(fc.sample(texts(pattern), { numRuns: count, seed: 15 }))];
};

/** The example number and random valid ones of every type of number in the country. */
export function samplesOf(country: Country, perType: number, seed: number): Sample[] {
	const plan = google.getMetadataForRegion(country);
	const numbers = descriptions(plan).flatMap((description) => [
		description.getExampleNumber(),
		...fc.sample(texts(description.getNationalNumberPattern()!), { numRuns: perType, seed }),
	]);
	return [...new Set(numbers)].flatMap((number) => (number ? sampleOf(country, number, plan) : []));
}

function sampleOf(country: Country, number: string, plan: Metadata): Sample[] {
	const countryCode = String(plan.getCountryCode());
	const digits = countryCode + number;
	// The gateway accepts no shorter ones, and there are no longer ones.
	if (digits.length < 7 || digits.length > 15) return [];
	const parsed = google.parse(`+${digits}`);
	const isSame = google.format(parsed, PhoneNumberFormat.E164) === `+${digits}`;
	if (!isSame || !google.isValidNumberForRegion(parsed, country)) return [];
	const groups = google
		.format(parsed, PhoneNumberFormat.INTERNATIONAL)
		.replace(`+${countryCode}`, '')
		.split(/[ -]/)
		.filter(Boolean);
	const national = google.format(parsed, PhoneNumberFormat.NATIONAL);
	return [
		{
			country,
			countryCode,
			number,
			digits,
			groups,
			national,
			trunkPrefix: plan.getNationalPrefix() ?? '',
			local: localForms(parsed, number, national, plan),
		},
	];
}

function localForms(
	parsed: ReturnType<typeof google.parse>,
	number: string,
	national: string,
	plan: Metadata,
): string[] {
	const areaLength = google.getLengthOfGeographicalAreaCode(parsed);
	const lengths = [number.length - areaLength];
	if (areaLength > 0) lengths.push(...plan.getFixedLine().possibleLengthLocalOnlyArray());
	return [...new Set(lengths)]
		.filter((length) => length >= 3 && length < number.length)
		.map((length) => {
			const written = new RegExp(`(?:\\d\\D*){${length}}$`).exec(national)?.[0] ?? '';
			return written.replace(/\D/g, '') === number.slice(-length) ? written : number.slice(-length);
		});
}

export { COUNTRIES };
