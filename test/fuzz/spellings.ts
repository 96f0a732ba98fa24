import type { Sample } from './numberingPlans';

/** A way to write a number. Returns undefined if the number cannot be written like this. */
export type Spelling = (sample: Sample, exitCode: string) => string | undefined;

const pairs = (digits: string) => digits.match(/\d{1,2}/g)!.join(' ');
const hasZero = ({ trunkPrefix, number }: Sample) => trunkPrefix === '0' && !number.startsWith('0');
const withCode = ({ countryCode, groups }: Sample, separator = ' ') =>
	[countryCode, ...groups].join(separator);
const withArea = (
	groups: Iterable<string>,
	write: (area: string, ...rest: string[]) => string,
): string | undefined => {
	const [area, ...rest] = groups;
	return area !== undefined && rest.length > 0 ? write(area, ...rest) : undefined;
};
const atHome = ({ national }: Sample) => national.match(/\d+/g)!;

/** How people write numbers of their own country. */
export const USUAL: Record<string, Spelling> = {
	'as Google writes it': ({ national }) => national,
	'digits only': (sample) => atHome(sample).join(''),
	'with spaces': (sample) => atHome(sample).join(' '),
	'with hyphens': (sample) => atHome(sample).join('-'),
	'area and pairs': (sample) =>
		withArea(atHome(sample), (area, ...rest) => `${area} ${pairs(rest.join(''))}`),
	'country code and digits': ({ digits }) => digits,
	'country code and spaces': (sample) => withCode(sample),
	'lost zero, country code and digits': ({ digits }) => `0${digits}`,
};

/** With a country code, but neither with plus nor with 00, of which one zero may be left. */
export const DIGITS_ONLY: Record<string, Spelling> = {
	'country code and digits': ({ digits }) => digits,
	'zero, country code and digits': ({ digits }) => `0${digits}`,
};

const separated = (zero: string): Record<string, Spelling> => ({
	[`${zero}1 234 5678`]: (sample) => zero + withCode(sample),
	[`${zero}1-234-5678`]: (sample) => zero + withCode(sample, '-'),
	[`${zero}1 (234) 5678`]: ({ countryCode, groups }) =>
		withArea(groups, (area, ...rest) => `${zero}${countryCode} (${area}) ${rest.join('-')}`),
	[`${zero}1 2345678`]: ({ countryCode, number }) => `${zero}${countryCode} ${number}`,
	[`${zero}1 (0)234 5678`]: (sample) =>
		hasZero(sample) ? `${zero}${sample.countryCode} (0)${sample.groups.join(' ')}` : undefined,
	[`${zero}1 0234 5678`]: (sample) =>
		hasZero(sample) ? `${zero}${sample.countryCode} 0${sample.groups.join(' ')}` : undefined,
});

export const WITHOUT_PLUS: Record<string, Spelling> = {
	...separated(''),
	...separated('0'),
	'0 1 234 5678': (sample) => `0 ${withCode(sample)}`,
};

export const WITH_PLUS: Record<string, Spelling> = {
	'+12345678': ({ digits }) => `+${digits}`,
	'+1 234 5678': (sample) => `+${withCode(sample)}`,
	'+1 (234) 5678': ({ countryCode, groups }) =>
		withArea(groups, (area, ...rest) => `+${countryCode} (${area}) ${rest.join(' ')}`),
	'+1 (0)234 5678': (sample) =>
		hasZero(sample) ? `+${sample.countryCode} (0)${sample.groups.join(' ')}` : undefined,
};

export const WITH_EXIT_CODE: Record<string, Spelling> = {
	'00 and digits': ({ digits }) => `00${digits}`,
	'00 and spaces': (sample) => `00 ${withCode(sample)}`,
	'exit code and digits': ({ digits }, exitCode) => exitCode + digits,
	'exit code and spaces': (sample, exitCode) => `${exitCode} ${withCode(sample)}`,
};

/** The same person each time, though a gateway gets different texts. */
export const ADDRESSES: Record<string, Spelling> = {
	digits: ({ digits }) => digits,
	'E.164': ({ digits }) => `+${digits}`,
	'00': ({ digits }) => `00${digits}`,
	"the gateway's ID": ({ digits }) => `${digits}@c.us`,
	"the network's ID": ({ digits }) => `${digits}@S.WhatsApp.net`,
	groups: (sample) => `+${withCode(sample)}`,
	'digits with the trunk prefix': (sample) =>
		hasZero(sample) && sample.digits.length < 15
			? `${sample.countryCode}0${sample.number}`
			: undefined,
	'with the former 1 of Mexico': ({ countryCode, number }) =>
		countryCode === '52' ? `521${number}` : undefined,
	'without the ninth digit of Brazil': ({ digits }) =>
		/^55\d\d9[689]\d{7}$/.test(digits) ? digits.slice(0, 4) + digits.slice(5) : undefined,
};
