/** What the tests use of it. The package has no types. */
declare module 'google-libphonenumber' {
	type PhoneNumber = object;
	export interface NumberDescription {
		getNationalNumberPattern(): string | null;
		getExampleNumber(): string | null;
		possibleLengthLocalOnlyArray(): number[];
	}
	export type NumberType =
		| ('FixedLine' | 'Mobile' | 'TollFree' | 'PremiumRate' | 'SharedCost')
		| ('PersonalNumber' | 'Voip' | 'Pager' | 'Uan' | 'Voicemail');
	export type NumberingPlan = Record<`get${NumberType}`, () => NumberDescription> & {
		getCountryCode(): number;
		getInternationalPrefix(): string | null;
		getNationalPrefix(): string | null;
	};
	export class PhoneNumberUtil {
		static getInstance(): PhoneNumberUtil;
		getMetadataForRegion(region: string): NumberingPlan;
		parse(number: string, region?: string): PhoneNumber;
		isValidNumber(number: PhoneNumber): boolean;
		isValidNumberForRegion(number: PhoneNumber, region: string): boolean;
		getLengthOfGeographicalAreaCode(number: PhoneNumber): number;
		format(number: PhoneNumber, format: number): string;
	}
	export const PhoneNumberFormat: { E164: number; INTERNATIONAL: number; NATIONAL: number };
}
