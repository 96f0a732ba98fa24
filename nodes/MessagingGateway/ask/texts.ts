/** Contains all texts of the page, apart from those that the author of the question entered. */
export const ENGLISH = {
	title: 'Please respond',
	approve: 'Approve',
	decline: 'Decline',
	submit: 'Submit',
	response: 'Your response',
	answerHere: 'Answer here:',
	required: '(required)',
	notSent: 'Your response was not sent yet. Please check it.',
	thanks: 'Thank you',
	thanksText: 'Your response was received. You can close this page.',
	closed: 'Question closed',
	closedText: 'This question was answered, or it has expired. There is nothing left to do.',
	expired: 'Expired',
	expiredText: 'This link has expired.',
	invalid: 'Invalid link',
	invalidText: 'Open the link from the message again.',
	tooLong: 'Response too long',
	tooLongText: 'Your response was not sent. Go back and shorten it to {max} characters.',
	tooMany: 'Too many attempts',
	tooManyText: 'Your response was not sent. Wait a minute, then go back and check it.',
	// The examples have the form that the node accepts, because only a browser without such an input shows them.
	chooseSome: 'Choose at least one.',
	chooseOne: 'Choose one.',
	chooseListed: 'Choose from the list.',
	enterDate: 'Enter a date such as 2026-12-31.',
	enterEmail: 'Enter an email address such as ada@example.com.',
	enterNumber: 'Enter a number such as 12.5.',
	enterText: 'Enter a value.',
};

export type Texts = typeof ENGLISH;

/** Maps language tags, as the attribute `lang` and Intl use them, to English names. */
export const LANGUAGES = {
	en: 'English',
	ar: 'Arabic',
	'zh-CN': 'Chinese (Simplified)',
	nl: 'Dutch',
	fr: 'French',
	de: 'German',
	hi: 'Hindi',
	id: 'Indonesian',
	it: 'Italian',
	ja: 'Japanese',
	pl: 'Polish',
	'pt-BR': 'Portuguese (Brazil)',
	ru: 'Russian',
	es: 'Spanish',
	tr: 'Turkish',
	uk: 'Ukrainian',
};

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

/** Returns a locale with Latin digits and the Gregorian calendar, as in the inputs in which the user entered the value. */
const localeOf = (language: Language) => `${language}-u-ca-gregory-nu-latn`;

/** Writes the month as a word, because the order of day and month differs between languages. */
export const dateIn = (language: Language, date: string): string =>
	new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'long', timeZone: 'UTC' }).format(
		new Date(date),
	);

/** Writes all digits of a number, of which Intl would drop some by default. */
export const numberIn = (language: Language, value: number, useGrouping = false): string =>
	new Intl.NumberFormat(localeOf(language), { useGrouping, maximumSignificantDigits: 17 }).format(
		value,
	);

const LANGUAGE_CODES = Object.keys(LANGUAGES) as Language[];
const withoutRegion = (tag: string) => tag.toLowerCase().split('-')[0];

/** Returns the language that the header Accept-Language prefers, or English if none fits. */
export function preferredLanguage(header: string): Language {
	const preferred = header
		.split(',')
		.map((part) => {
			const [tag = '', quality = 'q=1'] = part.split(';').map((text) => text.trim());
			return { quality: Number(quality.replace(/^q=/i, '')), tag: withoutRegion(tag) };
		})
		.filter(({ quality }) => quality > 0)
		.sort((a, b) => b.quality - a.quality)
		.map(({ tag }) => LANGUAGE_CODES.find((code) => withoutRegion(code) === tag));
	return preferred.find((code) => code !== undefined) ?? 'en';
}
