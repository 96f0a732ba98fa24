import { getCountries } from 'libphonenumber-js/min';

import { COUNTRIES } from '../../../gateway/text/countries';

test('has each country with a numbering plan, by name', () => {
	expect([...COUNTRIES.keys()].sort()).toEqual(getCountries().sort());
	const names = [...COUNTRIES.values()];
	expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b, 'en')));
	expect(names.filter((name) => !/^\p{Lu}[\p{L} .’()&-]+$/u.test(name))).toEqual([]);
});
