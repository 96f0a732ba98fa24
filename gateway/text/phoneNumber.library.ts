export { default as examples } from 'libphonenumber-js/examples.mobile.json';
export {
	type CountryCode,
	Metadata,
	type NumberingPlan,
	parsePhoneNumberFromString,
	type PhoneNumber,
} from 'libphonenumber-js/min';
