import type { Plan } from './phoneNumber.library';

const SEPARATORS = /[ ().\-/\u2010-\u2015]/g;
export const digitsOf = (text: string): string => text.replace(SEPARATORS, '');

const DATE =
	/^((19|20)\d\d|0?[1-9]|[12]\d|3[01])([ .\-/])(0?[1-9]|[12]\d|3[01])\3((19|20)\d\d|0?[1-9]|[12]\d|3[01])$/;
/** Matches two zeros in brackets, or one after more digits than a country code has, which may or may not be dialled from abroad. */
const ZERO_IN_BRACKETS = /(\d\D*){4}\( *0|\( *0.*\( *0/;

/** Matches a zero before a number that has its own, as dialled in offices or in 0 (0532). It is no 00. */
const ZERO_BEFORE_ZERO = /^\(?0\D+0/;

export const UNCLEAR_ZERO = 'the zero in brackets may or may not be dialled from abroad';

/** Returns the text without tabs, rare spaces and the brackets of (+49). Line breaks stay, because two lines are two numbers. */
export const cleaned = (entered: string): string =>
	entered
		// Spreadsheets add .0 to numbers; lists for them, an apostrophe.
		.replace(/[\t\u00a0\u2000-\u200a\u202f]/g, ' ')
		.replace(/^'(?=[+\d(])/, '')
		.replace(/^\( *(\+ *\d{1,3}) *\)/, '$1')
		.replace(/^(\d+)\.0$/, '$1');

/** Returns why a text is not one phone number, whatever its country. The reason is undefined if it does not look like a number at all. */
export function wrongShape(
	text: string,
	hasPlus: boolean,
): { reason: string | undefined } | undefined {
	if (!/^[\d(][\d ().\-/\u2010-\u2015]*\d$/.test(text)) return { reason: undefined };
	if (/^[^.]*\.\d{1,2}$/.test(text)) return { reason: 'it looks like a decimal fraction' };
	if (!hasPlus && DATE.test(text)) return { reason: 'it looks like a date' };
	if (ZERO_IN_BRACKETS.test(text)) return { reason: UNCLEAR_ZERO };
	if (ZERO_BEFORE_ZERO.test(text)) return { reason: 'it begins with two zeros apart' };
	const [first = 0, ...others] = text.split('/').map((part) => digitsOf(part).length);
	// Eight digits before the slash are a complete number.
	const isList = others.length > 0 && (first >= 8 || Math.min(...others) < 3);
	return isList ? { reason: 'it may be two numbers with a slash between them' } : undefined;
}

/** What was entered, with the groups of digits between its separators. */
export interface Entry {
	text: string;
	digits: string;
	groups: string[];
	/** It has no separators. */
	isPlain: boolean;
	/** The digits after the zero that may be left of 00. */
	fromCode: string;
	hasZero: boolean;
	/** The digits begin with the country code of the Default Country. */
	isOwn: boolean;
	/** The first group is a country code. */
	isSeparate: boolean;
	plan: Plan;
}

export const groupsOf = (text: string): string[] => text.match(/\d+/g) ?? [];

export function entryOf(
	text: string,
	plan: Plan,
	isCallingCode: (digits: string) => boolean,
): Entry {
	const [digits, groups] = [digitsOf(text), groupsOf(text)];
	const fromCode = digits.replace(/^0/, '');
	const [hasZero, isPlain] = [fromCode !== digits, groups.length === 1];
	const first = groups[0] === '0' ? groups[1]! : groups[0]!.replace(/^0/, '');
	return {
		...{ text, digits, groups, isPlain, fromCode, hasZero, plan },
		isOwn: fromCode.startsWith(plan.callingCode),
		isSeparate: !isPlain && isCallingCode(first),
	};
}
