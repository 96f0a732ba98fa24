import {
	ENGLISH,
	type Language,
	LANGUAGES,
	preferredLanguage,
	type Texts,
	textsIn,
} from '../../../nodes/MessagingGateway/ask/texts';

const translations = (Object.keys(LANGUAGES) as Language[]).filter((code) => code !== 'en');
const OTHER_SCRIPTS: Language[] = ['ar', 'hi', 'ja', 'ru', 'uk', 'zh-CN'];
const keys = Object.keys(ENGLISH).sort() as Array<keyof Texts>;
const ENGLISH_WORDS =
	/\b(?:the|your|please|thank|response|enter|choose|number|was|it|again|send|sent|too|such)\b/i;

/** Placeholders, and the examples of what the server accepts. */
const KEPT = /\{\w+\}|2026-12-31|12\.5|ada@example\.com/g;

test.each(translations)(
	'%s has each text, with the placeholders of the English one and nothing else in English',
	(language) => {
		const texts = textsIn(language);
		expect(Object.keys(texts).sort()).toEqual(keys);
		const kept = (of: Texts) => keys.map((key) => [key, of[key].match(KEPT)?.sort()]);
		expect(kept(texts)).toEqual(kept(ENGLISH));
		const foreign = OTHER_SCRIPTS.includes(language) ? /[a-z]/i : ENGLISH_WORDS;
		expect(keys.filter((key) => foreign.test(texts[key].replace(KEPT, '')))).toEqual([]);
		// The page inserts them as they are.
		const all = Object.values(texts);
		expect(all.filter((text) => text.trim() !== text || /^$|[<>&"']/.test(text))).toEqual([]);
	},
);

// Between Arabic letters, the parts of a date would change places.
test('examples between letters from right to left are isolated', () => {
	const all = Object.values(textsIn('ar')).join();
	expect(all.match(/\u2066(?:2026-12-31|12\.5|ada@example\.com)\u2069/g)).toHaveLength(3);
});

test.each([
	['pt-BR,pt;q=0.9,en;q=0.8', 'pt-BR'],
	['DE-at', 'de'],
	['sv, ar-EG;q=0.9, en;q=0.8', 'ar'],
	['zh-Hans-CN', 'zh-CN'],
	[',;q=,;;, constructor, __proto__', 'en'],
])('a browser that accepts %j gets %s', (header, language) => {
	expect(preferredLanguage(header)).toBe(language);
});
