import type { Country } from './countries';
import type { PhoneNumber, Plan } from './phoneNumber.library';

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

/** A reading is one meaning of what was entered. One that is not certain competes with others, but is not accepted alone. */
type Reading = ParsedNumber & { isCertain: boolean };

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
	const parsed = withCountryCode(digits);
	const dialled = asDialled(parsed.digits);
	// The number is sent as entered, because the account may have the former number.
	return dialled === parsed.digits ? parsed : { ...parse(dialled), digits: parsed.digits };
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

/** What was entered, with the groups of digits between its separators. */
interface Entry {
	text: string;
	digits: string;
	groups: string[];
	/** It has no separators. */
	isPlain: boolean;
	plan: Plan;
}

const groupsOf = (text: string): string[] => text.match(/\d+/g) ?? [];

/** Collects all readings of the number, because lists of contacts have national numbers next to international ones. */
function withDefaultCountry(text: string, country: Country): ParsedNumber | RejectedNumber {
	const [digits, groups, plan] = [digitsOf(text), groupsOf(text), phoneLibrary().planOf(country)];
	const [exitCode = '00'] = new RegExp(`^(?:${plan.exitCode})`).exec(digits) ?? [];
	const entry = { text, digits, groups, isPlain: groups.length === 1, plan };
	const readings = [...afterExitCode(digits, exitCode), ...withoutExitCode(entry)];
	const isUnknown = exitCode === '00' && digits.startsWith('00') && !NOT_AMERICAN.test(digits);
	if (readings.length === 0 && isUnknown) return international(digits.slice(2));
	return onlyOne(readings, country);
}

/** Accepts exactly one number, because a choice between two could be wrong. */
function onlyOne(readings: Reading[], country: Country): Reading | RejectedNumber {
	const [one] = readings;
	const withPlus = 'enter it with + and its country code';
	if (!one) return { reason: `it is not a valid number in ${country}: check it, or ${withPlus}` };
	const other = readings.find(({ digits }) => digits !== one.digits);
	const numbers = other ? `+${one.digits} or +${other.digits}` : `+${one.digits}`;
	const certain = !other && readings.find(({ isCertain }) => isCertain);
	return certain || { reason: `it may be ${numbers}: ${withPlus}` };
}

/** A number from abroad follows 00 or an exit code of the country. After 00, the library need not know it. */
const afterExitCode = (digits: string, exitCode: string): Reading[] =>
	[...new Set(['00', exitCode])]
		.filter((code) => digits.startsWith(code) && !(code === '00' && NOT_AMERICAN.test(digits)))
		.map((code) => ({ code, ...international(digits.slice(code.length)) }))
		.filter(({ isPossible }) => isPossible)
		.map((number) => ({ ...number, isCertain: number.isValid || number.code === '00' }));

/** Returns both readings, unless the separators show which one it is. Digits only are no foreign number if they are one at home. */
function withoutExitCode(entry: Entry): Reading[] {
	const [home, code] = [atHome(entry), afterCountryCode(entry)];
	if (!home || !code) return [home, code].filter((reading) => reading !== undefined);
	const showsCode = code.isSeparate || (code.isOwn && entry.isPlain);
	// Such a number has lost no zero. In DE, 4915123456789 is a mobile number, and not one of Leer.
	if (!home.isComplete) return showsCode && code.isOwn && !code.hasZero ? [code] : [home, code];
	const showsHome = showsCode
		? home.isAsWritten && !code.isOwn
		: home.beginsAsWritten || (code.hasZero && !code.isOwn);
	return showsHome ? [home] : [home, code];
}

interface NumberAtHome extends Reading {
	isComplete: boolean;
	/** Its groups are those of the country. */
	isAsWritten: boolean;
	/** It has no separators, or its first group is that of the country. */
	beginsAsWritten: boolean;
}

/** A spreadsheet drops the zero of digits only. */
function atHome(entry: Entry): NumberAtHome | undefined {
	const { digits, isPlain, plan } = entry;
	const home = readAtHome(entry, digits);
	if (home?.isCertain || !isPlain || digits.startsWith('0')) return home;
	const found = home ?? readAtHome(entry, `0${digits}`);
	const isLong = digits.length > 8 && digits.length >= plan.minLength;
	return found && { ...found, isComplete: false, isCertain: isLong };
}

function readAtHome({ text, groups, isPlain, plan }: Entry, digits: string) {
	const parsed = international(plan.callingCode + digits);
	const { phone, isValid } = parsed;
	const hasPrefix = phone?.nationalNumber !== digits;
	// Two zeros are an exit code, unless both belong to the number itself.
	if (!phone || !isValid || (hasPrefix && digits.startsWith('00'))) return undefined;
	const formats = [true, false].map((nationalPrefix) => phone.formatNational({ nationalPrefix }));
	const [usual = ''] = formats;
	const isLong = digits.length >= plan.minLength;
	const isComplete =
		(digits === plan.trunkPrefix + phone.nationalNumber && hasPrefix) ||
		(isLong && formats.some((format) => digitsOf(format) === digits));
	const trunkPrefix = new RegExp(`^${plan.trunkPrefix} ?`);
	const spaced = (all: string[]) => all.join(' ').replace(trunkPrefix, '');
	// Brackets within a number are around its area code, after a country code.
	const isGrouped =
		!isPlain &&
		text.lastIndexOf('(') < text.search(/\d/) &&
		spaced(groups) === spaced(groupsOf(usual));
	return {
		...parsed,
		...{ isComplete, isCertain: isComplete || hasPrefix },
		isAsWritten: isGrouped && digits.length >= digitsOf(usual).length,
		beginsAsWritten: isPlain || formats.some((format) => groupsOf(format)[0] === groups[0]),
	};
}

/** Reads a country code and a number, also after the zero that is left of 00. */
function afterCountryCode({ digits, groups, isPlain, plan }: Entry) {
	const fromCode = digits.replace(/^0/, '');
	const [hasZero, isOwn] = [fromCode !== digits, fromCode.startsWith(plan.callingCode)];
	const { phone, ...parsed } = international(fromCode);
	if (!phone || !parsed.isValid || phone.isNonGeographic()) return undefined;
	const length = phone.countryCallingCode.length + (hasZero ? 1 : 0);
	const first = groups[0] === '0' ? `0${groups[1]}` : groups[0]!;
	const isSeparate = !isPlain && first.length === length;
	const isLong = digits.length > plan.maxLength;
	const isForeign =
		isPlain && !hasZero && isLong && !international(plan.callingCode + digits).isPossible;
	const isCertain = isOwn ? hasZero || digits.length >= plan.minLength : isForeign;
	return { ...parsed, hasZero, isOwn, isSeparate, isCertain };
}
