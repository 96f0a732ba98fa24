import fc from 'fast-check';

import { splitText } from '../../../gateway/text/splitText';
import { cpuMs } from '../../harness/cpu';
import { depth } from '../../harness/depth';

const a = (length: number) => 'a'.repeat(length);
const b = (length: number) => 'b'.repeat(length);
const STEM = '\u{1d167}';
const LINK = `https://a.example/${a(60)}`;
const LONG_LINK = `https://a.example/${'word'.repeat(30)}`;
const BLOCK = `\`\`\`\n${b(39)}\n\n${b(39)}\n\`\`\``;

describe('cuts', () => {
	test.each<[string, string, string[]]>([
		['not at all if the text fits', `${a(60)}\n\n${a(38)}`, [`${a(60)}\n\n${a(38)}`]],
		['at the last empty line', `${a(30)}\n\n${a(50)}\n\n${a(60)}`, [`${a(30)}\n\n${a(50)}`, a(60)]],
		[
			'in a paragraph that does not fit, rather than after a short one',
			`Hi Ada,\n\n${a(79)}. ${a(60)}. ${a(60)}.`,
			[`Hi Ada,\n\n${a(79)}.`, `${a(60)}.`, `${a(60)}.`],
		],
		['at the end of a line', `- ${a(60)}\n- ${a(60)}`, [`- ${a(60)}`, `- ${a(60)}`]],
		['with Windows line ends', `${a(60)}\r\n\r\n${a(60)}\r\n`, [a(60), a(60)]],
		['after a sentence', `${a(60)}. C${a(9)} ${a(50)}. B`, [`${a(60)}.`, `C${a(9)} ${a(50)}. B`]],
		['after a question in quotes', `"${a(70)}?" Then ${a(60)}.`, [`"${a(70)}?"`, `Then ${a(60)}.`]],
		['not after a title', `${a(60)}. Dear Dr. ${a(60)}.`, [`${a(60)}.`, `Dear Dr. ${a(60)}.`]],
		['not after the number of a list item', `${a(70)}.\n1. ${a(60)}`, [`${a(70)}.`, `1. ${a(60)}`]],
		[
			'not before a lower-case letter',
			`${a(60)}. B e.g. ${a(60)}`,
			[`${a(60)}.`, `B e.g. ${a(60)}`],
		],
		[
			'not at a no-break space',
			`${a(60)} ${a(30)}\u00a0${a(20)}`,
			[a(60), `${a(30)}\u00a0${a(20)}`],
		],
		[
			'after a Chinese sentence',
			`${'好'.repeat(60)}。${'好'.repeat(60)}。`,
			[`${'好'.repeat(60)}。`, `${'好'.repeat(60)}。`],
		],
		[
			'in Thai between graphemes',
			'สวัสดี'.repeat(20),
			['สวัสดี'.repeat(16) + 'สวัส', 'ดี' + 'สวัสดี'.repeat(3)],
		],
		['not if there are only spaces', ' '.repeat(200), [' '.repeat(200)]],
		[
			'a grapheme that is longer than a part',
			`e${STEM.repeat(75)}`,
			[`e${STEM.repeat(49)}`, STEM.repeat(26)],
		],
		['not inside a link after words', `${a(30)} ${LINK} ${a(30)}`, [a(30), LINK, a(30)]],
		[
			'not inside a link in Chinese text',
			`${'好'.repeat(60)}${LINK}${'好'.repeat(30)}`,
			['好'.repeat(60), `${LINK}${'好'.repeat(22)}`, '好'.repeat(8)],
		],
		['not inside a link with brackets of its own', `${a(60)}${LINK}(b).`, [a(60), `${LINK}(b).`]],
		[
			'not inside a link that is longer than a part',
			`See ${LONG_LINK} for details. ${a(90)}`,
			['See', LONG_LINK, 'for details.', a(90)],
		],
		[
			'not inside a Korean syllable in brackets behind a long link',
			`${LONG_LINK}(\u1100\u1161\u11a8)${a(24)}`,
			[LONG_LINK, `(\u1100\u1161\u11a8)${a(24)}`],
		],
		[
			'not inside inline code that fits',
			`${a(85)} \`npm run a. Then b\` ${a(60)}`,
			[a(85), `\`npm run a. Then b\` ${a(60)}`],
		],
		['inline code that does not fit', `\`${a(60)} ${a(60)}\``, [`\`${a(60)}`, `${a(60)}\``]],
		['not inside a code block that fits', `${a(60)}\n${BLOCK}\n${a(60)}`, [a(60), BLOCK, a(60)]],
		[
			'a code block that does not fit, at the end of a line',
			`Code:\n\n\`\`\`js\n${b(39)}\n  ${b(39)}\n\n  ${b(38)}\n\`\`\`\n\nDone.`,
			[`Code:\n\n\`\`\`js\n${b(39)}\n  ${b(39)}`, `  ${b(38)}\n\`\`\`\n\nDone.`],
		],
		[
			'at an empty line after a code block without an end',
			`\`\`\`\n${b(20)}\n\n${a(41)}\n\n${a(20)}\n${a(70)}`,
			[`\`\`\`\n${b(20)}\n\n${a(41)}`, `${a(20)}\n${a(70)}`],
		],
	])('%s', (_name, text, parts) => {
		expect(splitText(text, 100)).toEqual(parts);
	});
});

const UNITS = [
	...['a', 'B', '. ', ' ', '\n', '\n\n', '\r\n', '\t', '!', '`', '``', '```\n', '\n```\n'],
	...['```js\n', '\n````\n'],
	...['https://a.example/b', '(https://a.b/c_(d)) ', '[a b](https://c.d)', '[', '](', ')'],
	...['`a b`', '。', '好'],
	...['🇩🇪', '👨‍👩‍👧‍👦', '👍🏽', '\u0301', '\u200d', '각', 'ᄀ', 'क्षि', '\u0600', '\u00a0', 'สวัสดี'],
	...['\ud800', '\ufe0f'],
	...['word '.repeat(10), 'word'.repeat(30), '1. ', '- ', '   '],
];
const anyText = fc
	.array(fc.constantFrom(...UNITS), { minLength: 30, maxLength: 400 })
	.map((units) => units.join(''))
	.filter((text) => text.trim() !== '');

const graphemes = (text: string) =>
	new Set([...new Intl.Segmenter('en').segment(text)].map(({ index }) => index)).add(text.length);
test('every text comes back, in parts within the limit that are cut between graphemes', () => {
	fc.assert(
		fc.property(anyText, fc.integer({ min: 100, max: 300 }), (text, limit) => {
			const boundaries = graphemes(text);
			let at = 0;
			for (const part of splitText(text, limit)) {
				expect(part.trim()).not.toBe('');
				const from = text.indexOf(part, at);
				// At a cut, only white space is missing.
				expect(text.slice(at, from).trim()).toBe('');
				at = from + part.length;
				expect([boundaries.has(from), boundaries.has(at)]).toEqual([true, true]);
				if (!/^\u0600*https?:\S+$/.test(part)) expect(part.length).toBeLessThanOrEqual(limit);
			}
			expect(text.slice(at).trim()).toBe('');
		}),
		{ numRuns: depth(150, 6_000) },
	);
});

test('a paragraph or line that fits into a part is not cut', () => {
	const word = fc.stringMatching(/^[a-z]{1,12}[.,!]?$/);
	const line = fc.array(word, { minLength: 1, maxLength: 30 }).map((words) => words.join(' '));
	const paragraph = fc.array(line, { minLength: 1, maxLength: 4 });
	const paragraphs = fc.array(paragraph, { minLength: 2, maxLength: 12 });
	fc.assert(
		fc.property(paragraphs, fc.constantFrom('', ' ', '\n'), (all, end) => {
			const texts = all.map((lines) => lines.join('\n'));
			const parts = splitText(texts.join('\n\n') + end, 100);
			for (const whole of [...texts, ...all.flat()].filter(({ length }) => length <= 100)) {
				expect(parts.some((part) => part.includes(whole))).toBe(true);
			}
		}),
		{ numRuns: depth(150, 2_000) },
	);
});

/** The slowest text takes 2 s on a slow machine. In quadratic time, most take minutes. */
const MAX_CPU_MS = 10_000;
const LONG = 50_000;

test.each([
	...UNITS,
	...['`a ', '`a ``b ', '[a', '[](', '[](()', 'https://', 'https://(', '(https://a.b'],
	...['```\na\n', '````\n```\n'],
	...['a ', 'a\n', 'a\n\n', 'A. ', '\u0600 ', ' \u0301', '\u0301a', '。」', 'Ab', 'ก', 'ア', '漢'],
	...['ᄀ', '\u200d👨'],
	...[`${'a '.repeat(30)}${a(200)}\n\n`, `a\n\n${a(99)}\n\n`],
])('splits a long text in linear time: %j', (unit) => {
	const text = unit.repeat(Math.floor(LONG / unit.length));
	for (const limit of [100, 60_000]) {
		expect(cpuMs(() => splitText(text, limit))).toBeLessThan(MAX_CPU_MS);
	}
});
