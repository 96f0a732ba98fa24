/** What the tests use of it. The package has no types. */
declare module 'google-libphonenumber' {
	interface PhoneNumber {
		getCountryCode(): number;
	}
	export class PhoneNumberUtil {
		static getInstance(): PhoneNumberUtil;
		getSupportedRegions(): string[];
		getExampleNumberForType(region: string, type: number): PhoneNumber | null;
		getMetadataForRegion(region: string): { getNationalPrefix(): string };
		getNationalSignificantNumber(number: PhoneNumber): string;
		format(number: PhoneNumber, format: number): string;
	}
	export const PhoneNumberType: Record<string, number>;
	export const PhoneNumberFormat: { INTERNATIONAL: number; NATIONAL: number };
}
