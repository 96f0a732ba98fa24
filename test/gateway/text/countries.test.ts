import { getCountries, getCountryCallingCode } from 'libphonenumber-js/min';

import { COUNTRIES } from '../../../gateway/text/countries';

test('has each country with a numbering plan, by name', () => {
	expect([...COUNTRIES.keys()].sort()).toEqual(getCountries().sort());
	const names = [...COUNTRIES.values()].map((name) => name.replace(/ \([^()]*\)$/, ''));
	expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b, 'en')));
	expect(names.filter((name) => !/^\p{Lu}[\p{L} .’()&-]+$/u.test(name))).toEqual([]);
});

test('can be found by code and calling code', () => {
	for (const [code, name] of COUNTRIES) {
		expect(name).toContain(` (${code}, +${getCountryCallingCode(code)}`);
	}
});

test.each([
	['+49', 'Germany (DE, +49, Deutschland)'],
	['usa', 'United States (US, +1, USA)'],
	['turkey', 'Türkiye (TR, +90, Turkey)'],
])('the editor finds with %s: %s', (typed, expected) => {
	const found = [...COUNTRIES.values()].filter((name) => name.toLowerCase().includes(typed));
	expect(found).toEqual([expected]);
});
