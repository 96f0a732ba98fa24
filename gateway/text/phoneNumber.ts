import type { Country } from './countries';
import type { NumberingPlan, PhoneNumber } from './phoneNumber.library';

/** Loads the numbering plans when the first number needs them, because loading takes long. */
const phoneLibrary = () =>
	require('./phoneNumber.library') as typeof import('./phoneNumber.library');

interface RejectedNumber {
	/** Says what was understood and why it is not accepted; undefined if the text does not look like a number. */
	reason: string | undefined;
}

interface ParsedNumber {
	/** The digits begin with the country code. */
	digits: string;
	/** The library knows the range. It does not know new ranges, so a number can be right without being valid. */
	isValid: boolean;
	/** Numbers of the country can have this length. */
	isPossible: boolean;
	/** It is undefined if the library does not know the country code. */
	phone?: PhoneNumber;
}

/** A reading is one meaning of what was entered. A likely one counts only if none is sure. */
type Reading = ParsedNumber & { certainty: 'sure' | 'likely' };
const sure = (number: ParsedNumber): Reading => ({ ...number, certainty: 'sure' });
const likely = (number: ParsedNumber): Reading => ({ ...number, certainty: 'likely' });

/** Matches country code and number, which have at most 15 digits (E.164). The shortest in use have 7. */
export const PHONE_NUMBER = /^[1-9]\d{6,14}$/;

/** Returns the number with its country code. Rejects everything ambiguous, because a message to the wrong person cannot be recalled. */
export function phoneNumber(
	entered: string,
	country?: Country,
): { digits: string } | RejectedNumber {
	const text = entered
		// Line breaks stay, because two lines are two numbers. Spreadsheets add .0 to numbers; lists for them, an apostrophe.
		.replace(/[\t\u00a0\u2000-\u200a\u202f]/g, ' ')
		.replace(/^'(?=[+\d(])/, '')
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

function parse(digits: string): ParsedNumber {
	const phone = phoneLibrary().parsePhoneNumberFromString(`+${digits}`, { extract: false });
	if (!phone) return { digits, isValid: false, isPossible: false };
	return {
		digits: phone.number.slice(1),
		isValid: phone.isValid(),
		isPossible: phone.isPossible(),
		phone,
	};
}

/** Reads a number after its country code. Drops what is dialled only within the country, such as the zero of +49 0151. */
function withCountryCode(digits: string): ParsedNumber {
	const parsed = parse(digits);
	const { length = 0 } = parsed.phone?.countryCallingCode ?? '';
	if (parsed.isValid || length === 0 || digits[length] !== '0') return parsed;
	const withoutTrunkZero = parse(digits.slice(0, length) + digits.slice(length + 1));
	// In an unknown range, the zero may belong to the number.
	const isDropped = withoutTrunkZero.isValid || withoutTrunkZero.digits === parsed.digits;
	return isDropped ? withoutTrunkZero : { ...parsed, digits };
}

/** Mexico dropped the 1 of mobile numbers. Brazil put a 9 before them, but not before landlines (2 to 5) and radios (7). */
const asDialled = (digits: string) =>
	digits.replace(/^521(?=[2-9]\d{9}$)/, '52').replace(/^55[1-9]{2}(?=[689]\d{7}$)/, '$&9');

/** Reads a number that begins with its country code. */
function international(digits: string): ParsedNumber {
	const dialled = asDialled(digits);
	const parsed = withCountryCode(dialled);
	// The number is sent as entered, because the account may have the former number.
	return dialled === digits ? parsed : { ...parsed, digits };
}

/** Returns digits that all spellings of a number have in common, and no other number has. Expects the country code. */
export function dialledNumber(digits: string): string {
	const parsed = withCountryCode(digits);
	// In an unknown range, a zero after the country code may belong to the number.
	return asDialled(parsed.isValid ? parsed.digits : digits);
}

/** Returns a text that distinguishes numbers without showing them, e.g. +49 151 …567. Expects the country code. */
export function maskedNumber(digits: string): string {
	const { countryCallingCode: code = '' } = international(digits).phone ?? {};
	return `+${code} ${digits.slice(code.length, code.length + 3)} …${digits.slice(-3)}`;
}

/** Returns the country of a number that begins with its country code; undefined if several countries have such numbers. */
export const countryOf = (digits: string): Country | undefined =>
	international(digits).phone?.country;

/** Matches 001 before what is no American number, because 001 and 0011 are exit codes elsewhere. Canada has numbers such as +1 310 1234. */
const NOT_AMERICAN = /^001(?!([2-9]\d{9}|310\d{4})$)/;

function withoutPlus(number: string, country: Country | undefined): ParsedNumber | RejectedNumber {
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

/** Returns what was entered, and the readings on which others depend. */
function entryOf(number: string, country: Country) {
	const plan = planOf(country);
	const digits = digitsOf(number);
	const [isPlain, isOwn] = [digits === number, digits.startsWith(plan.callingCode())];
	const abroad = afterExitCode(digits, plan);
	return { number, digits, plan, isPlain, isOwn, abroad, home: atHome(digits, country, plan) };
}
type Entry = ReturnType<typeof entryOf>;

/** Collects all readings of the number, because lists of contacts have national numbers next to international ones. */
function withDefaultCountry(number: string, country: Country): Reading | RejectedNumber {
	const entry = entryOf(number, country);
	const readings = [
		...entry.abroad,
		...completeAtHome(entry),
		...withoutZero(entry),
		...withOwnCode(entry),
		...foreignWithoutPlus(entry),
	];
	const noNumber = `read as a number in ${country}, it does not fit: check its length, area code and leading zero`;
	return onlyOne(readings) ?? { reason: noNumber };
}

/** Accepts exactly one number, because a choice between two could be wrong. */
function onlyOne(readings: Reading[]): Reading | RejectedNumber | undefined {
	const best = readings.filter(({ certainty }) => certainty === 'sure');
	const [one, ...others] = best.length > 0 ? best : readings;
	const other = others.find(({ digits }) => digits !== one?.digits);
	if (!one || !other) return one;
	return { reason: `it can be read as +${one.digits} and as +${other.digits}` };
}

/** A number from abroad follows 00 or an exit code of the country. It is always sure. */
function afterExitCode(digits: string, plan: Plan): Reading[] {
	const [exitCode = '00'] = new RegExp(`^(?:${plan.IDDPrefix()})`).exec(digits) ?? [];
	return [...new Set(['00', exitCode])]
		.filter((code) => digits.startsWith(code) && !(code === '00' && NOT_AMERICAN.test(digits)))
		.map((code) => sure(international(digits.slice(code.length))))
		.filter(({ isPossible }) => isPossible);
}

/** A complete number at home is sure in a known range. Some begin with 00, but none with 00 and the country's code. */
function completeAtHome({ digits, plan, home, abroad }: Entry): Reading[] {
	const isOwn = (one: Reading) => one.isValid && one.digits.startsWith(plan.callingCode());
	if (home.form !== 'complete' || NOT_AMERICAN.test(digits) || abroad.some(isOwn)) return [];
	return [home.isValid ? sure(home) : likely(home)];
}

/** A number without its zero is only likely. A spreadsheet drops the zero of digits only. */
const withoutZero = ({ home, isPlain, isOwn }: Entry): Reading[] =>
	home.form === 'withoutZero' && (isPlain || isOwn) ? [likely(home)] : [];

/** A number with the country's own code is sure in a known range. In DE, 4921 55270769 is a number of Emden, and not 2155 270769. */
function withOwnCode({ number, digits, plan, isPlain, isOwn, home }: Entry): Reading[] {
	const own = isOwn && home.form !== 'short' ? international(digits) : undefined;
	if (!own?.isPossible) return [];
	const isSeparate = isPlain || /\d+/.exec(number)![0] === plan.callingCode();
	return [own.isValid && isSeparate ? sure(own) : likely(own)];
}

/** A foreign number is likely, and so is the number at home in any form. Next to one after an exit code, it is as sure as that one. */
function foreignWithoutPlus({ digits, plan, isPlain, isOwn, abroad, home }: Entry): Reading[] {
	// With separators, it could be two local numbers in one field.
	const foreign = isPlain && !isOwn && !digits.startsWith('0') ? parse(digits) : undefined;
	if (!foreign?.isValid) return [];
	if (abroad.length > 0) return [sure(foreign)];
	if (home.isPossible) return [likely(home), likely(foreign)];
	return digits.length > Math.max(...plan.possibleLengths()) ? [likely(foreign)] : [];
}

/** A `short` number may lack its area code, and one that is `withoutZero` the zero before it. */
type NumberAtHome = ParsedNumber & { form?: 'complete' | 'withoutZero' | 'short' };

function atHome(digits: string, country: Country, plan: Plan): NumberAtHome {
	const parsed = withCountryCode(plan.callingCode() + digits);
	const { phone, isValid } = parsed;
	const shortest = shortestLength(country, plan);
	const hasPrefix = phone?.nationalNumber !== digits;
	if (!hasPrefix && digits.length < shortest) return { ...parsed, form: 'short' };
	if (!phone || !parsed.isPossible) return parsed;
	// Two zeros are an exit code, unless both belong to the number itself.
	if (hasPrefix && digits.startsWith('00')) return parsed;
	// A zero is part of the number only in ranges that are known.
	if (!isValid && phone.nationalNumber.startsWith('0')) return parsed;
	const isUsual = isValid || shortest === 0 || plan.possibleLengths().length === 1;
	if (!hasPrefix && !isUsual) return parsed;
	const isComplete = [true, false].some(
		(nationalPrefix) => digitsOf(phone.formatNational({ nationalPrefix })) === digits,
	);
	if (hasPrefix || isComplete) return { ...parsed, form: 'complete' };
	return { ...parsed, form: digits.length > 8 ? 'withoutZero' : 'short' };
}

/** Returns the length below which a number without a leading zero may lack its area code. */
function shortestLength(country: Country, plan: Plan): number {
	// In Italy, the zero before the area code is part of the number. Liechtenstein and Monaco have no area codes.
	const hasAreaCodes = plan.nationalPrefix() ? !/LI|MC/.test(country) : plan.callingCode() === '39';
	if (!hasAreaCodes) return 0;
	const mobile = phoneLibrary().examples[country].length;
	return mobile > 9 ? mobile - 1 : mobile;
}

type Plan = NumberingPlan & { nationalPrefix(): string | undefined; callingCode(): string };

function planOf(country: Country): Plan {
	const metadata = new (phoneLibrary().Metadata)();
	metadata.selectNumberingPlan(country);
	// The types of the package leave out nationalPrefix and callingCode.
	return metadata.numberingPlan as Plan;
}
