import { Metadata, type MetadataJson, type NumberingPlan } from 'libphonenumber-js/core';
import examples from 'libphonenumber-js/examples.mobile.json';
import type { CountryCode } from 'libphonenumber-js/max';
import metadata from 'libphonenumber-js/metadata.max.json';

export {
	type CountryCode,
	parsePhoneNumberFromString,
	type PhoneNumber,
} from 'libphonenumber-js/max';

/** How the numbers of a country are dialled. */
export interface Plan {
	callingCode: string;
	/** A pattern of what is dialled before foreign numbers. */
	exitCode: string;
	/** What is dialled before numbers of the country, e.g. 0 or 8. */
	trunkPrefix: string;
	/** A shorter number without its trunk prefix may lack its area code. */
	minLength: number;
	maxLength: number;
}

export function planOf(country: CountryCode): Plan {
	// The CommonJS of /max has no Metadata.
	const plans = new Metadata(metadata as object as MetadataJson);
	plans.selectNumberingPlan(country);
	// The types of the package leave out nationalPrefix, which is 0 without one, and callingCode.
	const plan = plans.numberingPlan as NumberingPlan & {
		nationalPrefix(): string | 0;
		callingCode(): string;
	};
	const [callingCode, trunkPrefix] = [plan.callingCode(), plan.nationalPrefix() || ''];
	// In Italy, the zero before the area code is part of the number. Liechtenstein and Monaco have no area codes.
	const hasAreaCodes = trunkPrefix ? !/LI|MC/.test(country) : callingCode === '39';
	const { length } = examples[country];
	return {
		...{ callingCode, trunkPrefix, exitCode: plan.IDDPrefix() },
		minLength: !hasAreaCodes ? 0 : length > 9 ? length - 1 : length,
		maxLength: Math.max(...plan.possibleLengths()),
	};
}
