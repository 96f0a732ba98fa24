import type { CountryCode } from './phoneNumber.library';

/** A country is its ISO code in upper case, e.g. `DE`. */
export type Country = CountryCode;

/**
 * An entry has the code of a country with phone numbers, its calling code, its name, and another usual name, if any. The entries are
 * listed here because Intl.DisplayNames and the numbering plans take long to load.
 */
const CODES_AND_NAMES = `
AF93 Afghanistan, AX358 Åland Islands, AL355 Albania, DZ213 Algeria, AS1 American Samoa, AD376 Andorra, AO244 Angola, AI1 Anguilla
AG1 Antigua & Barbuda, AR54 Argentina, AM374 Armenia, AW297 Aruba, AC247 Ascension Island, AU61 Australia, AT43 Austria=Österreich, AZ994 Azerbaijan
BS1 Bahamas, BH973 Bahrain, BD880 Bangladesh, BB1 Barbados, BY375 Belarus, BE32 Belgium, BZ501 Belize, BJ229 Benin, BM1 Bermuda, BT975 Bhutan
BO591 Bolivia, BA387 Bosnia & Herzegovina, BW267 Botswana, BR55 Brazil=Brasil, IO246 British Indian Ocean Territory, VG1 British Virgin Islands
BN673 Brunei, BG359 Bulgaria, BF226 Burkina Faso, BI257 Burundi, KH855 Cambodia, CM237 Cameroon, CA1 Canada, CV238 Cape Verde
BQ599 Caribbean Netherlands, KY1 Cayman Islands, CF236 Central African Republic, TD235 Chad, CL56 Chile, CN86 China, CX61 Christmas Island
CC61 Cocos (Keeling) Islands, CO57 Colombia, KM269 Comoros, CG242 Congo - Brazzaville, CD243 Congo - Kinshasa, CK682 Cook Islands, CR506 Costa Rica
CI225 Côte d’Ivoire=Ivory Coast, HR385 Croatia, CU53 Cuba, CW599 Curaçao, CY357 Cyprus, CZ420 Czechia=Czech Republic, DK45 Denmark, DJ253 Djibouti
DM1 Dominica, DO1 Dominican Republic, EC593 Ecuador, EG20 Egypt, SV503 El Salvador, GQ240 Equatorial Guinea, ER291 Eritrea, EE372 Estonia
SZ268 Eswatini, ET251 Ethiopia, FK500 Falkland Islands, FO298 Faroe Islands, FJ679 Fiji, FI358 Finland, FR33 France, GF594 French Guiana
PF689 French Polynesia, GA241 Gabon, GM220 Gambia, GE995 Georgia, DE49 Germany=Deutschland, GH233 Ghana, GI350 Gibraltar, GR30 Greece
GL299 Greenland, GD1 Grenada, GP590 Guadeloupe, GU1 Guam, GT502 Guatemala, GG44 Guernsey, GN224 Guinea, GW245 Guinea-Bissau, GY592 Guyana
HT509 Haiti, HN504 Honduras, HK852 Hong Kong SAR China, HU36 Hungary, IS354 Iceland, IN91 India, ID62 Indonesia, IR98 Iran, IQ964 Iraq
IE353 Ireland, IM44 Isle of Man, IL972 Israel, IT39 Italy=Italia, JM1 Jamaica, JP81 Japan, JE44 Jersey, JO962 Jordan, KZ7 Kazakhstan, KE254 Kenya
KI686 Kiribati, XK383 Kosovo, KW965 Kuwait, KG996 Kyrgyzstan, LA856 Laos, LV371 Latvia, LB961 Lebanon, LS266 Lesotho, LR231 Liberia, LY218 Libya
LI423 Liechtenstein, LT370 Lithuania, LU352 Luxembourg, MO853 Macao SAR China, MG261 Madagascar, MW265 Malawi, MY60 Malaysia, MV960 Maldives
ML223 Mali, MT356 Malta, MH692 Marshall Islands, MQ596 Martinique, MR222 Mauritania, MU230 Mauritius, YT262 Mayotte, MX52 Mexico, FM691 Micronesia
MD373 Moldova, MC377 Monaco, MN976 Mongolia, ME382 Montenegro, MS1 Montserrat, MA212 Morocco, MZ258 Mozambique, MM95 Myanmar (Burma), NA264 Namibia
NR674 Nauru, NP977 Nepal, NL31 Netherlands=Holland, NC687 New Caledonia, NZ64 New Zealand, NI505 Nicaragua, NE227 Niger, NG234 Nigeria, NU683 Niue
NF672 Norfolk Island, KP850 North Korea, MK389 North Macedonia, MP1 Northern Mariana Islands, NO47 Norway, OM968 Oman, PK92 Pakistan, PW680 Palau
PS970 Palestinian Territories, PA507 Panama, PG675 Papua New Guinea, PY595 Paraguay, PE51 Peru, PH63 Philippines, PL48 Poland, PT351 Portugal
PR1 Puerto Rico, QA974 Qatar, RE262 Réunion, RO40 Romania, RU7 Russia, RW250 Rwanda, WS685 Samoa, SM378 San Marino, ST239 São Tomé & Príncipe
SA966 Saudi Arabia, SN221 Senegal, RS381 Serbia, SC248 Seychelles, SL232 Sierra Leone, SG65 Singapore, SX1 Sint Maarten, SK421 Slovakia
SI386 Slovenia, SB677 Solomon Islands, SO252 Somalia, ZA27 South Africa, KR82 South Korea, SS211 South Sudan, ES34 Spain=España, LK94 Sri Lanka
BL590 St. Barthélemy, SH290 St. Helena, KN1 St. Kitts & Nevis, LC1 St. Lucia, MF590 St. Martin, PM508 St. Pierre & Miquelon
VC1 St. Vincent & Grenadines, SD249 Sudan, SR597 Suriname, SJ47 Svalbard & Jan Mayen, SE46 Sweden, CH41 Switzerland=Schweiz, SY963 Syria
TW886 Taiwan, TJ992 Tajikistan, TZ255 Tanzania, TH66 Thailand, TL670 Timor-Leste, TG228 Togo, TK690 Tokelau, TO676 Tonga, TT1 Trinidad & Tobago
TA290 Tristan da Cunha, TN216 Tunisia, TR90 Türkiye=Turkey, TM993 Turkmenistan, TC1 Turks & Caicos Islands, TV688 Tuvalu, VI1 U.S. Virgin Islands
UG256 Uganda, UA380 Ukraine, AE971 United Arab Emirates=UAE, GB44 United Kingdom=UK, US1 United States=USA, UY598 Uruguay, UZ998 Uzbekistan
VU678 Vanuatu, VA39 Vatican City, VE58 Venezuela, VN84 Vietnam, WF681 Wallis & Futuna, EH212 Western Sahara, YE967 Yemen, ZM260 Zambia
ZW263 Zimbabwe`;

const COUNTRY_LINE = /^(..)(\d+) ([^=]+)=?(.*)$/;

/** Maps each country to the text that the editor shows, e.g. `Germany (DE, +49, Deutschland)`. Users can search for any part of it. */
export const COUNTRIES: ReadonlyMap<Country, string> = new Map(
	CODES_AND_NAMES.trim()
		.split(/, |\n/)
		.map((entry) => {
			const [, code = '', callingCode, name, other] = COUNTRY_LINE.exec(entry)!;
			const known = [code, `+${callingCode}`, other].filter(Boolean).join(', ');
			return [code as Country, `${name} (${known})`];
		}),
);
