import table from './countries.json';
import type { CountryCode } from './phoneNumber.library';

/** A country is its ISO code in upper case, e.g. `DE`. */
export type Country = CountryCode;

/**
 * Maps each country to the text that the editor shows, e.g. `Germany (DE, +49, Deutschland)`. Users can search for any part of it. The
 * table is in the package because Intl.DisplayNames and the numbering plans take long to load.
 */
export const COUNTRIES: ReadonlyMap<Country, string> = new Map(
	Object.entries(table).map(([code, [callingCode, name, ...others]]) => [
		code as Country,
		`${name} (${[code, `+${callingCode}`, ...others].join(', ')})`,
	]),
);
