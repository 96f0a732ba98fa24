import ENGLISH from './english.json';
import LANGUAGES from './languages.json';

export { ENGLISH, LANGUAGES };

/** All texts of the page, apart from those that the author of the question entered. */
export type Texts = typeof ENGLISH;

/** The tag of a language, as the attribute `lang` uses it. */
export type Language = keyof typeof LANGUAGES;

/** Loads the translations with the first page that is not in English, so that loading the package stays fast. */
const translations = (): Record<Exclude<Language, 'en'>, Texts> =>
	(require('./translations.library') as typeof import('./translations.library')).translations;

export const textsIn = (language: Language): Texts =>
	language === 'en' ? ENGLISH : translations()[language];

/** Translates a text that the author of the question left at its default. All others stay as entered. */
export const translated = (key: keyof Texts, entered: string, texts: Texts): string =>
	entered === ENGLISH[key] ? texts[key] : entered;

export const direction = (language: Language) => (language === 'ar' ? 'rtl' : 'ltr');

const LANGUAGE_CODES = Object.keys(LANGUAGES) as Language[];
const withoutRegion = (tag: string) => tag.trim().toLowerCase().split(/[-;]/)[0];

/** Returns the first language of the header Accept-Language that the page has, or English. Browsers begin with the preferred one. */
export function preferredLanguage(header: string): Language {
	const preferred = header
		.split(',')
		.flatMap(
			(tag) => LANGUAGE_CODES.find((code) => withoutRegion(code) === withoutRegion(tag)) ?? [],
		);
	return preferred[0] ?? 'en';
}
