import type { Country } from './countries';
import type { NumberingPlan, PhoneNumber } from './phoneNumber.library';

/** Loads the numbering plans when the first number needs them, because loading takes long. */
const phoneLibrary = () =>
	require('./phoneNumber.library') as typeof import('./phoneNumber.library');

interface RejectedNumber {
	/** Says what was understood and why it is not accepted; undefined if the text does not look like a number. */
	reason: string | undefined;
}

/** What was entered can have several readings, such as a national and an international number. */
interface Reading {
	/** The digits begin with the country code. */
	digits: string;
	/** The library knows the range. It does not know new ranges, so a number can be right without being valid. */
	isValid: boolean;
	/** Numbers of the country can have this length. */
	isPossible: boolean;
	/** It is undefined if the library does not know the country code. */
	parsed?: PhoneNumber;
}

/** Matches country code and number, which have at most 15 digits (E.164). The shortest in use have 7. */
export const PHONE_NUMBER = /^[1-9]\d{6,14}$/;

/** Returns the number with its country code. Rejects everything ambiguous, because a message to the wrong person cannot be recalled. */
export function phoneNumber(
	entered: string,
	country?: Country,
): { digits: string } | RejectedNumber {
	const text = entered
		// Line breaks stay, because two lines are two numbers.
		.replace(/[\t\u00a0\u2000-\u200a\u202f]/g, ' ')
		// Spreadsheets add .0 to numbers.
		.replace(/^(\d+)\.0$/, '$1');
	const number = text.replace(/^\+ */, '');
	const hasPlus = number !== text;
	const rejected = wrongShape(number.replace(/^00 */, ''), hasPlus);
	if (rejected) return rejected;
	const result = hasPlus ? international(digitsOf(number)) : withoutPlus(number, country);
	if ('reason' in result || PHONE_NUMBER.test(result.digits)) return result;
	if (result.digits.startsWith('0')) return { reason: 'no country code begins with 0' };
	return { reason: `it has too ${result.digits.length > 15 ? 'many' : 'few'} digits` };
}

const SEPARATORS = /[ ().\-/\u2010-\u2015]/g;
const digitsOf = (text: string) => text.replace(SEPARATORS, '');

const DATE =
	/^((19|20)\d\d|0?[1-9]|[12]\d|3[01])([ .\-/])(0?[1-9]|[12]\d|3[01])\3((19|20)\d\d|0?[1-9]|[12]\d|3[01])$/;
/** Matches two zeros in brackets, or one after more digits than a country code has, which may or may not be dialled from abroad. */
const ZERO_IN_BRACKETS = /(\d\D*){4}\( *0|\( *0.*\( *0/;

/** Returns why a text is not one phone number, whatever its country; undefined if it may be one. */
function wrongShape(text: string, hasPlus: boolean): RejectedNumber | undefined {
	if (!/^[\d(][\d ().\-/\u2010-\u2015]*\d$/.test(text)) return { reason: undefined };
	if (/^[^.]*\.\d{1,2}$/.test(text)) return { reason: 'it looks like a decimal fraction' };
	if (!hasPlus && DATE.test(text)) return { reason: 'it looks like a date' };
	if (ZERO_IN_BRACKETS.test(text))
		return { reason: 'the zero in brackets may or may not be dialled from abroad' };
	const [first = 0, ...others] = text.split('/').map((part) => digitsOf(part).length);
	// Eight digits before the slash are a complete number.
	const isList = others.length > 0 && (first >= 8 || Math.min(...others) < 3);
	return isList ? { reason: 'it may be two numbers with a slash between them' } : undefined;
}

function parse(digits: string): Reading {
	const parsed = phoneLibrary().parsePhoneNumberFromString(`+${digits}`, { extract: false });
	if (!parsed) return { digits, isValid: false, isPossible: false };
	return {
		digits: parsed.number.slice(1),
		isValid: parsed.isValid(),
		isPossible: parsed.isPossible(),
		parsed,
	};
}

/** Reads a number after its country code. Drops what is dialled only within the country, such as the zero of +49 0151. */
function withCountryCode(digits: string): Reading {
	const reading = parse(digits);
	const { length = 0 } = reading.parsed?.countryCallingCode ?? '';
	if (reading.isValid || length === 0 || digits[length] !== '0') return reading;
	const withoutZero = parse(digits.slice(0, length) + digits.slice(length + 1));
	// In an unknown range, the zero may belong to the number.
	const isDropped = withoutZero.isValid || withoutZero.digits === reading.digits;
	return isDropped ? withoutZero : { ...reading, digits };
}

/**
 * Returns the present form of a number. Mexico dropped the 1 of mobile numbers. Brazil put a 9 before them, but not before landlines
 * (2 to 5) and radios (7).
 */
const asDialled = (digits: string) =>
	digits.replace(/^521(?=[2-9]\d{9}$)/, '52').replace(/^55[1-9]{2}(?=[689]\d{7}$)/, '$&9');

/** Reads a number that begins with its country code. */
function international(digits: string): Reading {
	const dialled = asDialled(digits);
	const reading = withCountryCode(dialled);
	// The number is sent as entered, because the account may have the former number.
	return dialled === digits ? reading : { ...reading, digits };
}

/** Returns digits that all spellings of a number have in common, and no other number has. Expects the country code. */
export function dialledNumber(digits: string): string {
	const reading = withCountryCode(digits);
	// In an unknown range, a zero after the country code may belong to the number.
	return asDialled(reading.isValid ? reading.digits : digits);
}

/** Returns a text that distinguishes numbers without showing them, e.g. +49 151 …567. Expects the country code. */
export function maskedNumber(digits: string): string {
	const { countryCallingCode: code = '' } = international(digits).parsed ?? {};
	return `+${code} ${digits.slice(code.length, code.length + 3)} …${digits.slice(-3)}`;
}

/** Returns the country of a number that begins with its country code; undefined if several countries have such numbers. */
export const countryOf = (digits: string): Country | undefined =>
	international(digits).parsed?.country;

/** Matches 001 before what is no American number, because 001 and 0011 are exit codes elsewhere. Canada has numbers such as +1 310 1234. */
const NOT_AMERICAN = /^001(?!([2-9]\d{9}|310\d{4})$)/;

function withoutPlus(number: string, country: Country | undefined): Reading | RejectedNumber {
	if (country) return withDefaultCountry(number, country);
	const digits = digitsOf(number);
	const notAmerican = 'after 00 it is not an American number, and 001 and 0011 are also exit codes';
	if (NOT_AMERICAN.test(digits)) return { reason: notAmerican };
	if (number.startsWith('00')) return international(digits.slice(2));
	const noCountry = "and 'Default Country' is not set";
	if (number.startsWith('0')) return { reason: `it has no country code, ${noCountry}` };
	if (digits !== number) return { reason: `it has separators but no + or 00, ${noCountry}` };
	return { digits, isValid: false, isPossible: false };
}

/** Collects all readings of the number, because lists of contacts have national numbers next to international ones. */
function withDefaultCountry(number: string, country: Country): Reading | RejectedNumber {
	const plan = planOf(country);
	const countryCode = plan.callingCode();
	const digits = digitsOf(number);
	const isPlain = digits === number;
	const isOwn = digits.startsWith(countryCode);
	const isNotAmerican = NOT_AMERICAN.test(digits);

	const [exitCode = '00'] = new RegExp(`^(?:${plan.IDDPrefix()})`).exec(digits) ?? [];
	const abroad = [...new Set(['00', exitCode])]
		.filter((code) => digits.startsWith(code) && !(code === '00' && isNotAmerican))
		.map((code) => international(digits.slice(code.length)))
		.filter(({ isPossible }) => isPossible);
	const sure = [...abroad];
	const likely: Reading[] = [];

	const home = national(digits, country, plan);
	// Some numbers at home begin with 00, but none with 00 and the country's code.
	const isFromAbroad = abroad.some((one) => one.isValid && one.digits.startsWith(countryCode));
	const isHome = home.as === 'complete' && !isFromAbroad && !isNotAmerican;
	if (isHome) (home.isValid ? sure : likely).push(home);
	// A spreadsheet drops the zero of digits only.
	if (home.as === 'withoutZero' && (isPlain || isOwn)) likely.push(home);

	const own = isOwn && home.as !== 'short' ? international(digits) : undefined;
	// In DE, 4921 55270769 is a number of Emden, and not 2155 270769.
	const isSeparate = isPlain || /\d+/.exec(number)![0] === countryCode;
	if (own?.isPossible) (own.isValid && isSeparate ? sure : likely).push(own);

	// With separators, it may be two local numbers in one field.
	const foreign = isPlain && !isOwn && !digits.startsWith('0') ? parse(digits) : undefined;
	const isTooLong = digits.length > Math.max(...plan.possibleLengths());
	if (foreign?.isValid && abroad.length > 0) sure.push(foreign);
	else if (foreign?.isValid && (home.isPossible || isTooLong))
		likely.push(...[home, foreign].filter(({ isPossible }) => isPossible));
	const noNumber = `read as a number in ${country}, it does not fit: check its length, area code and leading zero`;
	return decide(sure.length > 0 ? sure : likely) ?? { reason: noNumber };
}

/** Accepts exactly one number, because a choice between two could be wrong. */
function decide([one, ...others]: Reading[]): Reading | RejectedNumber | undefined {
	const other = others.find(({ digits }) => digits !== one?.digits);
	if (!one || !other) return one;
	return { reason: `it can be read as +${one.digits} and as +${other.digits}` };
}

interface National extends Reading {
	/** A `short` number may lack its area code, and one that is `withoutZero` the zero before it. */
	as?: 'complete' | 'withoutZero' | 'short';
}

function national(digits: string, country: Country, plan: Plan): National {
	const reading = withCountryCode(plan.callingCode() + digits);
	const { parsed, isValid } = reading;
	const shortest = shortestLength(country, plan);
	const hasPrefix = parsed?.nationalNumber !== digits;
	if (!hasPrefix && digits.length < shortest) return { ...reading, as: 'short' };
	if (!parsed || !reading.isPossible) return reading;
	// Two zeros are an exit code, unless both belong to the number itself.
	if (hasPrefix && digits.startsWith('00')) return reading;
	// A zero is part of the number only in ranges that are known.
	if (!isValid && parsed.nationalNumber.startsWith('0')) return reading;
	const isUsual = isValid || shortest === 0 || plan.possibleLengths().length === 1;
	if (!hasPrefix && !isUsual) return reading;
	const isComplete = [true, false].some(
		(nationalPrefix) => digitsOf(parsed.formatNational({ nationalPrefix })) === digits,
	);
	if (hasPrefix || isComplete) return { ...reading, as: 'complete' };
	return { ...reading, as: digits.length > 8 ? 'withoutZero' : 'short' };
}

/** Returns the length below which a number without a leading zero may lack its area code. */
function shortestLength(country: Country, plan: Plan): number {
	// In Italy, the zero before the area code is part of the number. Liechtenstein and Monaco have no area codes.
	const hasAreaCodes = plan.nationalPrefix() ? !/LI|MC/.test(country) : plan.callingCode() === '39';
	if (!hasAreaCodes) return 0;
	// The example is a mobile number.
	const { length } = phoneLibrary().examples[country];
	return length > 9 ? length - 1 : length;
}

type Plan = NumberingPlan & { nationalPrefix(): string | undefined; callingCode(): string };

function planOf(country: Country): Plan {
	const metadata = new (phoneLibrary().Metadata)();
	metadata.selectNumberingPlan(country);
	// The types of the package leave out nationalPrefix and callingCode.
	return metadata.numberingPlan as Plan;
}
