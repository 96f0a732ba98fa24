import {
	dateIn,
	ENGLISH,
	type Language,
	LANGUAGES,
	numberIn,
	preferredLanguage,
	type Texts,
	textsIn,
} from '../../../nodes/MessagingGateway/question/texts';

const languages = Object.keys(LANGUAGES) as Language[];
const translations = languages.filter((language) => language !== 'en');
const OTHER_SCRIPTS: Language[] = ['ar', 'hi', 'ja', 'ru', 'uk', 'zh-CN'];
const keys = Object.keys(ENGLISH) as Array<keyof Texts>;

/** Placeholders, and the examples of what the server accepts. */
const KEPT = /\{\w+\}|2026-12-31|12\.5|ada@example\.com/g;

test.each(translations)(
	'%s has each text, with the placeholders and examples of the English one',
	(language) => {
		const texts = textsIn(language);
		expect(Object.keys(texts).sort()).toEqual([...keys].sort());
		const kept = (of: Texts) => keys.map((key) => [key, of[key].match(KEPT)]);
		expect(kept(texts)).toEqual(kept(ENGLISH));
	},
);

test.each(translations)('%s has no English left', (language) => {
	const texts = textsIn(language);
	const foreign = OTHER_SCRIPTS.includes(language)
		? /[a-z]/i
		: /\b(?:the|your|please|thank|response|enter|choose|number|was|it|again|send|sent|too|such)\b/i;
	const left = keys.filter(
		(key) => texts[key] === ENGLISH[key] || foreign.test(texts[key].replace(KEPT, '')),
	);
	expect(left).toEqual([]);
});

test.each(languages)('%s has only text, which the page inserts as it is', (language) => {
	const texts = Object.values(textsIn(language));
	expect(
		texts.filter((text) => text !== text.trim() || text === '' || /[<>&"']/.test(text)),
	).toEqual([]);
});

// Between Arabic letters, the parts of a date would change places.
test('examples between letters from right to left are isolated', () => {
	const examples = Object.values(textsIn('ar')).flatMap(
		(text) => text.match(/.?(?:2026-12-31|12\.5|ada@example\.com).?/g) ?? [],
	);
	expect(examples).toEqual([
		'\u20662026-12-31\u2069',
		'\u2066ada@example.com\u2069',
		'\u206612.5\u2069',
	]);
});

test.each([
	['pt-BR,pt;q=0.9,en;q=0.8', 'pt-BR'],
	['pt-PT', 'pt-BR'],
	['DE-at', 'de'],
	['sv, uk;q=0.5', 'uk'],
	['en;q=0.2, ar-EG;q=0.9', 'ar'],
	['sv, fr;q=0', 'en'],
	['sv-SE,sv', 'en'],
	['en-GB,de', 'en'],
	['zh-Hans-CN', 'zh-CN'],
	['*', 'en'],
	['', 'en'],
	[',;q=,;;, de;q=x, constructor, __proto__', 'en'],
])('a browser that accepts %j gets %s', (header, language) => {
	expect(preferredLanguage(header)).toBe(language);
});

test.each([
	['en', 'December 31, 2026', '-1234.5'],
	['de', '31. Dezember 2026', '-1234,5'],
	['pt-BR', '31 de dezembro de 2026', '-1234,5'],
	['ja', '2026年12月31日', '-1234.5'],
	['ar', '31 ديسمبر 2026', '\u200e-1234.5'],
] as const)('%s shows a date as %s, and a number as %s', (language, date, number) => {
	expect([dateIn(language, '2026-12-31'), numberIn(language, -1234.5)]).toEqual([date, number]);
});

test.each([0.1, 1e-10, 123456789.0123456, Number.MAX_SAFE_INTEGER])(
	'%s keeps its digits',
	(number) => {
		expect(Number(numberIn('fr', number).replace(',', '.'))).toBe(number);
	},
);
