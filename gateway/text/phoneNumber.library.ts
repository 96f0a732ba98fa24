import { Metadata, type MetadataJson, type NumberingPlan } from 'libphonenumber-js/core';
import examples from 'libphonenumber-js/examples.mobile.json';
import type { CountryCode, NumberType } from 'libphonenumber-js/max';
import metadata from 'libphonenumber-js/metadata.max.json';

export {
	type CountryCode,
	type NumberType,
	parsePhoneNumberFromString,
	type PhoneNumber,
} from 'libphonenumber-js/max';

/** How the numbers of a country are dialled. */
export interface Plan {
	callingCode: string;
	/** Matches what is dialled before foreign numbers. */
	exitCode: RegExp;
	/** What is dialled before numbers of the country, e.g. 0 or 8. */
	trunkPrefix: string;
	/** Whether people write a zero before the number that does not belong to it. */
	dropsZero: (type: NumberType) => boolean;
	/** A shorter number without its trunk prefix may lack its area code. */
	minLength: number;
	maxLength: number;
}

// The CommonJS of /max has no Metadata.
const allPlans = new Metadata(metadata as object as MetadataJson);

export const isCallingCode = (digits: string): boolean =>
	Object.hasOwn(metadata.country_calling_codes, digits);

const plans = new Map<CountryCode, Plan>();

export function planOf(country: CountryCode): Plan {
	const plan = plans.get(country) ?? newPlan(country);
	plans.set(country, plan);
	return plan;
}

function newPlan(country: CountryCode): Plan {
	allPlans.selectNumberingPlan(country);
	// The types of the package leave out nationalPrefix, which is 0 without one, and callingCode.
	const plan = allPlans.numberingPlan as NumberingPlan & {
		nationalPrefix(): string | 0;
		callingCode(): string;
	};
	const [callingCode, trunkPrefix] = [plan.callingCode(), plan.nationalPrefix() || ''];
	// In Italy, the zero before the area code is part of the number. Liechtenstein and Monaco have no area codes.
	const hasAreaCodes = trunkPrefix ? !/LI|MC/.test(country) : callingCode === '39';
	const { length } = examples[country];
	// Gabon no longer dials the zero, and Poland not before landlines, the only ones that had it.
	const hasZero = trunkPrefix.startsWith('0') || country === 'GA';
	const dropsZero = (type: NumberType) => hasZero || (country === 'PL' && type === 'FIXED_LINE');
	// The library has only two of Indonesia's four.
	const exitCode = new RegExp(`^(?:${country === 'ID' ? '00[1789]' : plan.IDDPrefix()})`);
	return {
		...{ callingCode, trunkPrefix, exitCode, dropsZero },
		minLength: !hasAreaCodes ? 0 : length > 9 ? length - 1 : length,
		maxLength: Math.max(...plan.possibleLengths()),
	};
}
