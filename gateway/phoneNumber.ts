import {
	type CountryCode,
	getCountries,
	getCountryCallingCode,
	Metadata,
	type NumberingPlan,
	parsePhoneNumberFromString,
	type PhoneNumber,
} from 'libphonenumber-js/min';

/** An ISO code in upper case. */
export type Country = CountryCode;

export const COUNTRIES: Country[] = getCountries();

interface Rejected {
	/** What was understood, and why it is not accepted. Undefined if the text does not look like a number. */
	reason: string | undefined;
}

/** One meaning of what was entered. */
interface Reading {
	/** Country code and number. */
	digits: string;
	/** The range is known. New ranges are not, so a number can be right without being valid. */
	isValid: boolean;
	/** Numbers of the country can have this length. */
	isPossible: boolean;
	/** Undefined if the country code is unknown. */
	parsed?: PhoneNumber;
}

/** E.164: country code and number have at most 15 digits; the shortest in use have 7. */
export const PHONE_NUMBER = /^[1-9]\d{6,14}$/;

/** Rejects everything ambiguous, because a message to the wrong person cannot be recalled. */
export function phoneNumber(entered: string, country?: Country): { digits: string } | Rejected {
	const text = entered
		.replace(/[\t\u00a0\u2000-\u200a\u202f]/g, ' ') // spaces of other widths, but no line breaks
		.replace(/^(\d+)\.0$/, '$1'); // spreadsheets add it to numbers
	const number = text.replace(/^\+ */, '');
	const hasPlus = number !== text;
	const rejected = wrongShape(number.replace(/^00 */, ''), hasPlus);
	if (rejected) return rejected;
	const read = hasPlus ? international(number) : withoutPlus(number, country);
	if ('reason' in read || PHONE_NUMBER.test(read.digits)) return read;
	if (read.digits.startsWith('0')) return { reason: 'no country code begins with 0' };
	return { reason: `it has too ${read.digits.length > 15 ? 'many' : 'few'} digits` };
}

const SEPARATORS = /[ ().\-/\u2010-\u2015]/g;
const digitsOf = (text: string) => text.replace(SEPARATORS, '');

/** Digits and separators that are not those of one phone number. */
function wrongShape(text: string, hasPlus: boolean): Rejected | undefined {
	if (!/^[\d(][\d ().\-/\u2010-\u2015]*\d$/.test(text)) return { reason: undefined };
	if (/^[^.]*\.\d{1,2}$/.test(text)) return { reason: 'it looks like a decimal fraction' };
	if (!hasPlus && isDate(text)) return { reason: 'it looks like a date' };
	const [beforeSlash = 0, ...afterSlashes] = text
		.split('/')
		.map((part) => part.replace(/\D/g, '').length);
	const isList =
		afterSlashes.some((digits) => digits < 3) || (afterSlashes.length > 0 && beforeSlash >= 8); // a complete number before the slash
	return isList ? { reason: 'it may be two numbers with a slash between them' } : undefined;
}

function isDate(text: string): boolean {
	const [, first = '', , middle = '', last = ''] =
		/^(\d{1,2}|\d{4})([ .\-/])(\d{1,2})\2(\d{1,2}|\d{4})$/.exec(text) ?? [];
	const isDay = (part: string) => Number(part) >= 1 && Number(part) <= 31;
	const isPart = (part: string) => (part.length === 4 ? /^(19|20)/.test(part) : isDay(part));
	return isPart(first) && isDay(middle) && isPart(last);
}

/** Drops what is dialled only within the country, such as the zero of +49 0151. */
function withCountryCode(digits: string): Reading {
	const reading = parse(digits);
	const { length = 0 } = reading.parsed?.countryCallingCode ?? '';
	if (reading.isValid || length === 0) return reading;
	// In a range that is not known, any prefix but a zero may belong to the number.
	const asEntered = { ...reading, digits };
	if (digits[length] !== '0') return asEntered;
	const withoutZero = parse(digits.slice(0, length) + digits.slice(length + 1));
	return withoutZero.isValid || withoutZero.digits === reading.digits ? withoutZero : asEntered;
}

function parse(digits: string): Reading {
	const parsed = parsePhoneNumberFromString(`+${digits}`, { extract: false });
	if (!parsed) return { digits, isValid: false, isPossible: false };
	return {
		digits: parsed.number.slice(1),
		isValid: parsed.isValid(),
		isPossible: parsed.isPossible(),
		parsed,
	};
}

/** A number with its country code, without plus sign or exit code. */
function international(number: string): Reading | Rejected {
	const digits = digitsOf(number);
	const reading = withCountryCode(digits);
	if (!/\( *0/.test(number)) return reading;
	const { parsed, isValid } = reading;
	const [start = '', countryCode = '', closed] =
		/^(\d{1,3})[ .\-/]*\( *0( *\))?/.exec(number) ?? [];
	const rest = number.slice(start.length);
	const isAfterCountryCode =
		start !== '' && countryCode === (parsed?.countryCallingCode ?? countryCode);
	if (isAfterCountryCode && !/\( *0/.test(rest)) {
		// In some countries the zero is part of the number: +39 (0)343.
		if (isValid && parsed?.nationalNumber.startsWith('0')) return reading;
		if (closed) return withCountryCode(countryCode + digitsOf(rest));
	}
	return { reason: 'the zero in brackets may or may not be dialled from abroad' };
}

function withoutPlus(number: string, country: Country | undefined): Reading | Rejected {
	if (country) return withDefaultCountry(number, country);
	if (number.startsWith('00')) return afterDoubleZero(number);
	const noCountry = "and 'Default Country' is not set";
	if (number.startsWith('0')) return { reason: `it has no country code, ${noCountry}` };
	if (/\D/.test(number)) return { reason: `it has separators but no + or 00, ${noCountry}` };
	return { digits: number, isValid: false, isPossible: false };
}

/** After 00 this would be a North American number, but there is none like it: 001 and 0011 are exit codes elsewhere. */
const NOT_AMERICAN = /^1(?![2-9]\d{9}$)/;

function afterDoubleZero(number: string): Reading | Rejected {
	const rest = number.replace(/^00 */, '');
	if (!NOT_AMERICAN.test(digitsOf(rest))) return international(rest);
	return { reason: 'after 00 it is not an American number, and 001 and 0011 are also exit codes' };
}

function withDefaultCountry(number: string, country: Country): Reading | Rejected {
	const plan = planOf(country);
	const abroad = afterExitCode(number, plan);
	if (number.startsWith('00')) {
		const usual = afterDoubleZero(number);
		return abroad ? either(usual, abroad) : usual;
	}
	const home = national(digitsOf(number), country, plan);
	if (abroad && 'isValid' in abroad && abroad.isValid) {
		return home.isComplete ? either(home, abroad) : abroad;
	}
	const bare = number.startsWith('0') ? undefined : international(number);
	if (bare && 'isValid' in bare) return nationalOrBare(home, bare, country, plan);
	return home.isComplete ? home : notInCountry(home, country, plan);
}

/** An exit code other than 00, such as 011 in the US and 0011 in Australia. */
function afterExitCode(number: string, plan: Plan): Reading | Rejected | undefined {
	const [code] = new RegExp(`^(?:${plan.IDDPrefix()})`).exec(digitsOf(number)) ?? [];
	if (code === undefined || code === '00') return undefined;
	return international(withoutDigits(number, code.length));
}

function withoutDigits(number: string, count: number): string {
	const digitAt = [...number.matchAll(/\d/g)].map(({ index }) => index);
	return number.slice(digitAt[count - 1]! + 1).replace(/^[^\d(]+/, '');
}

interface National extends Reading {
	/** Written as in its country: with the leading zero if its numbers have one. */
	isComplete: boolean;
}

function national(digits: string, country: Country, plan: Plan): National {
	const reading = withCountryCode(getCountryCallingCode(country) + digits);
	const { parsed, isValid, isPossible } = reading;
	if (!parsed || !isPossible) return { ...reading, isComplete: false };
	const { nationalNumber } = parsed;
	const written = parsed.formatNational();
	const hasPrefix = nationalNumber !== digits;
	const isFormatted = written !== digits && digitsOf(written) === digits;
	// A zero is part of the number only in ranges that are known.
	const isComplete = hasPrefix || isFormatted || (isValid && !plan.nationalPrefix());
	return { ...reading, isComplete: isComplete && (isValid || !nationalNumber.startsWith('0')) };
}

/** Lists of contacts have national numbers next to international ones without plus sign. */
function nationalOrBare(
	home: National,
	bare: Reading,
	country: Country,
	plan: Plan,
): Reading | Rejected {
	const isSameCountry = bare.parsed?.countryCallingCode === getCountryCallingCode(country);
	if (home.isComplete && home.isValid) {
		return isSameCountry && bare.isValid ? either(home, bare) : home;
	}
	if (bare.isValid) {
		// The leading zero may be missing, or the range may be new.
		const isHomeLikely = !isSameCountry && (home.isComplete || home.isValid);
		return isHomeLikely ? ambiguous(home, bare) : bare;
	}
	if (isSameCountry && bare.isPossible) return home.isValid ? ambiguous(home, bare) : bare;
	if (home.isComplete || (home.isPossible && !plan.nationalPrefix())) return home;
	return home.isValid && !isLocal(home, plan) ? home : notInCountry(home, country, plan);
}

const MAX_LOCAL_LENGTH = 8;

/** It may be a number without its area code. A longer one has only lost its leading zero, in a spreadsheet. */
const isLocal = ({ parsed }: Reading, plan: Plan) =>
	parsed!.nationalNumber.length <= MAX_LOCAL_LENGTH &&
	Math.min(...plan.possibleLengths()) < MAX_LOCAL_LENGTH;

/** The valid one. */
function either(one: Reading | Rejected, other: Reading | Rejected): Reading | Rejected {
	if ('reason' in one || !one.parsed) return other;
	if ('reason' in other || !other.parsed) return one;
	if (one.isValid !== other.isValid) return one.isValid ? one : other;
	return one.digits === other.digits ? one : ambiguous(one, other);
}

const ambiguous = (one: Reading, other: Reading): Rejected => ({
	reason: `it can be read as +${one.digits} and as +${other.digits}`,
});

function notInCountry({ digits, isPossible }: National, country: Country, plan: Plan): Rejected {
	const hasZero = digits.startsWith(`${getCountryCallingCode(country)}0`);
	let why = 'its area code or its leading zero may be missing';
	if (!isPossible || hasZero) why = 'it has too few or too many digits';
	if (isPossible && hasZero && plan.nationalPrefix() !== '0') why = 'it does not begin with 0';
	return { reason: `read as a number in ${country}, ${why}` };
}

type Plan = NumberingPlan & { nationalPrefix(): string | undefined };

function planOf(country: Country): Plan {
	const metadata = new Metadata();
	metadata.selectNumberingPlan(country);
	// The types of the package leave out nationalPrefix.
	return metadata.numberingPlan as Plan;
}
