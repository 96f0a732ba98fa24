import type { Country } from './countries';
import {
	cleaned,
	digitsOf,
	type Entry,
	entryOf,
	groupsOf,
	UNCLEAR_ZERO,
	wrongShape,
} from './numberShape';
import type { NumberType, PhoneNumber } from './phoneNumber.library';

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
	/** It is undefined outside of the ranges that the library knows. It does not know new ones, so such a number can be right. */
	type?: NumberType;
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
	const text = cleaned(entered);
	const number = text.replace(/^\+ */, '');
	const hasPlus = number !== text;
	const rejected = wrongShape(number.replace(/^00 */, ''), hasPlus);
	if (rejected) return rejected;
	const read = (part: string) =>
		hasPlus ? international(digitsOf(part)) : withoutPlus(part, country);
	const result = read(number);
	if ('reason' in result) return result;
	const withoutZero = number.replace(/\( *0 *\)/, '');
	if (withoutZero !== number && areDifferent(result, read(withoutZero)))
		return { reason: UNCLEAR_ZERO };
	if (PHONE_NUMBER.test(result.digits)) return result;
	if (result.digits.startsWith('0')) return { reason: 'no country code begins with 0' };
	return { reason: `it has too ${result.digits.length > 15 ? 'many' : 'few'} digits` };
}

const areDifferent = (one: ParsedNumber, other: ParsedNumber | RejectedNumber) =>
	'digits' in other && one.type && other.type && one.digits !== other.digits;

function parse(digits: string): ParsedNumber {
	const phone = phoneLibrary().parsePhoneNumberFromString(`+${digits}`, { extract: false });
	return phone ? { digits: phone.number.slice(1), type: phone.getType(), phone } : { digits };
}

/** Reads a number after its country code. Drops what is dialled only within the country, such as the zero of +49 0151. */
function withCountryCode(digits: string): ParsedNumber {
	const parsed = parse(digits);
	const { length = 0 } = parsed.phone?.countryCallingCode ?? '';
	if (parsed.type || length === 0 || digits[length] !== '0') return parsed;
	const rest = digits.slice(0, length) + digits.slice(length + 1);
	const withoutTrunkZero = parse(rest);
	// In an unknown range, the zero may belong to the number. Nothing else is dropped: 011 86 131 is no Chinese carrier.
	const isDropped = [rest, parsed.digits].includes(withoutTrunkZero.digits);
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
	return asDialled(parsed.type ? parsed.digits : digits);
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
	return { digits };
}

/** Collects all readings of the number, because lists of contacts have national numbers next to international ones. */
function withDefaultCountry(text: string, country: Country): ParsedNumber | RejectedNumber {
	const { isCallingCode, planOf } = phoneLibrary();
	const entry = entryOf(text, planOf(country), isCallingCode);
	const readings = [...afterExitCode(entry), ...withoutExitCode(entry)];
	const { digits } = entry;
	const isUnknown = digits.startsWith('00') && !NOT_AMERICAN.test(digits);
	if (readings.length === 0 && isUnknown) return international(digits.slice(2));
	return onlyOne(readings, country, digits);
}

/** Accepts exactly one number, because a choice between two could be wrong. */
function onlyOne(readings: Reading[], country: Country, entered: string): Reading | RejectedNumber {
	const [one] = readings;
	const withPlus = 'enter it with + and its country code';
	const invalid = `it is not a valid number in ${country}: check it, or ${withPlus}`;
	if (!one) return { reason: invalid };
	const other = readings.find(({ digits }) => digits !== one.digits);
	const numbers = other ? `+${one.digits} or +${other.digits}` : `+${one.digits}`;
	const certain = !other && readings.find(({ isCertain }) => isCertain);
	// Few people lose one zero of 00. A number of another country, as 0151 23456789 in GB, is not one of Texas.
	const isGuess = !other && /^0[1-9]/.test(entered) && one.phone?.country !== country;
	return certain || { reason: isGuess ? invalid : `it may be ${numbers}: ${withPlus}` };
}

/** A number from abroad follows 00 or an exit code of the country. After 00, it may be unknown, but a known number wins. */
function afterExitCode({ digits, plan }: Entry): Reading[] {
	const [exitCode = '00'] = plan.exitCode.exec(digits) ?? [];
	const readings = [...new Set(['00', exitCode])]
		.filter((code) => digits.startsWith(code) && !(code === '00' && NOT_AMERICAN.test(digits)))
		.map((code) => ({ code, ...international(digits.slice(code.length)) }))
		.filter(({ phone }) => phone?.isPossible())
		.map((number) => ({ ...number, isCertain: !!number.type || number.code === '00' }));
	const valid = readings.filter(({ type }) => type);
	return valid.length > 0 ? valid : readings;
}

/** Returns both readings, unless the text shows which one it is. */
function withoutExitCode(entry: Entry): Reading[] {
	const { text, fromCode, hasZero, isOwn, isPlain, isSeparate } = entry;
	const home = atHome(entry);
	const isNational = !isOwn && (isPlain ? isMobile(home) : hasZero && !isSeparate);
	if (home?.isComplete && isNational) return [home];
	const code = afterCountryCode(entry);
	if (!home || !code) return [home, code].filter((reading) => reading !== undefined);
	if (home.isComplete) return showsHome(entry, home, code) ? [home] : [home, code];
	// Such a number has lost no zero. In DE, 4915123456789 is a mobile number, and not one of Leer.
	const isWhole = isSeparate ? code.digits === fromCode || text.includes('(0') : isMobile(code);
	return isOwn && !hasZero && (isSeparate || isPlain) && isWhole ? [code] : [home, code];
}

const isMobile = (number?: ParsedNumber) => number?.type?.endsWith('MOBILE');

/** A landline at home that may also be a mobile number abroad is not clear. */
function showsHome(entry: Entry, home: NumberAtHome, code: Reading) {
	const { groups, isOwn, isPlain, isSeparate } = entry;
	const isLikely = !isOwn && (isMobile(home) || !isMobile(code));
	if (isPlain) return isLikely;
	if (isSeparate) return isLikely && home.isAsWritten();
	return home.formats().some((format) => groupsOf(format)[0] === groups[0]);
}

interface NumberAtHome extends Reading {
	isComplete: boolean;
	/** How the country writes it, with and without what may be dialled before it. */
	formats: () => string[];
	/** Its groups are those of the country. */
	isAsWritten: () => boolean;
}

/** A spreadsheet drops the zero of digits only. */
function atHome(entry: Entry): NumberAtHome | undefined {
	const { digits, isPlain, plan } = entry;
	const home = readAtHome(entry, digits);
	if (home?.isCertain || !isPlain || digits.startsWith('0')) return home;
	const found = home ?? readAtHome(entry, `0${digits}`);
	const isLong = digits.length > 8 && digits.length >= plan.minLength;
	return found && { ...found, isComplete: false, isCertain: isLong && !isMachine(found) };
}

/** Nobody reads messages there. Such a number needs a plus. */
const isMachine = ({ type }: ParsedNumber) => type === 'VOICEMAIL' || type === 'PAGER';

function readAtHome({ text, groups, plan }: Entry, digits: string): NumberAtHome | undefined {
	const parsed = international(plan.callingCode + digits);
	const { phone, type } = parsed;
	if (!phone || !type) return undefined;
	const hasPrefix = phone.nationalNumber !== digits;
	// Two zeros are an exit code, unless both belong to the number itself.
	const isDropped = !digits.startsWith('00') && (digits[0] !== '0' || plan.dropsZero(type));
	if (hasPrefix && !isDropped) return undefined;
	const formats = () =>
		[true, false].map((nationalPrefix) => phone.formatNational({ nationalPrefix }));
	const isLong = digits.length >= plan.minLength;
	const isComplete =
		(hasPrefix && digits === plan.trunkPrefix + phone.nationalNumber) ||
		(isLong && formats().some((format) => digitsOf(format) === digits));
	const isAsWritten = () => {
		const [usual = ''] = formats();
		const spaced = (all: string[]) => {
			const joined = all.join(' ');
			const start = joined.startsWith(plan.trunkPrefix) ? plan.trunkPrefix.length : 0;
			return joined.slice(start).trimStart();
		};
		// Brackets within a number are around its area code, after a country code.
		const hasCode = text.lastIndexOf('(') >= text.search(/\d/);
		const isWhole = digits.length >= digitsOf(usual).length;
		return !hasCode && isWhole && spaced(groups) === spaced(groupsOf(usual));
	};
	const isCertain = (isComplete || hasPrefix) && !isMachine(parsed);
	return { ...parsed, isComplete, isCertain, formats, isAsWritten };
}

/** Reads a country code and a number, also after the zero that is left of 00. */
function afterCountryCode(entry: Entry): Reading | undefined {
	const { digits, fromCode, hasZero, isOwn, isPlain, isSeparate, plan } = entry;
	const parsed = international(fromCode);
	const { phone, type } = parsed;
	if (!phone || !type || phone.isNonGeographic()) return undefined;
	const isTooLong = () =>
		digits.length > plan.maxLength && !parse(plan.callingCode + digits).phone?.isPossible();
	const isForeign = () => isPlain && !hasZero && isTooLong();
	const isWhole = hasZero ? isPlain || isSeparate : digits.length >= plan.minLength;
	return { ...parsed, isCertain: !isMachine(parsed) && (isOwn ? isWhole : isForeign()) };
}
