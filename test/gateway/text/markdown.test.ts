import { MAX_TEXT_LENGTH } from '../../../gateway/inputValues';
import { chatText } from '../../../gateway/text/markdown';
import { cpuMs } from '../../harness/cpu';
import { depth } from '../../harness/depth';
import { CORPUS } from './markdownCorpus';

test.each(CORPUS)('converts %s', (_title, markdown, chat) => {
	expect(chatText(markdown)).toBe(chat);
});

const DROPPED = ['<br>', '**'];
const LINKS = [
	'https://a.example/pay/123',
	'[Pay](https://a.example/pay/123)',
	'<https://a.example/pay/123>',
	'![](https://a.example/pay/123)',
];

test.each(LINKS)('after %s, what is dropped does not add the next word to the URL', (link) => {
	for (const one of DROPPED) {
		for (const other of ['', ...DROPPED]) {
			const text = `**Now: ${link}${one}${other}Thanks`;
			expect(chatText(text)).toMatch(/https:\/\/a\.example\/pay\/123[\s*]+Thanks$/);
		}
	}
});

/** Texts that make quadratic parsers slow, by their length. */
const repeated = (unit: string) => (length: number) => unit.repeat(Math.ceil(length / unit.length));
const HOSTILE: Array<[name: string, textOf: (length: number) => string]> = [
	...[
		...['*', '_', '~', '`', '[', ']', '!', '(', '<', '>', '&', '\\', '|', '-', '#', ' ', '\n', ':'],
		...['*a ', 'a*', '*a_ ', '**a **b ', 'a**b', '**_* ', '`` ` ', '~~a ', '&amp;', '\\*'],
		...['[a](', '](', '[](([', '![', '[a][b] ', '[a]: /b\n', '<a ', '<br>', '<br '],
		...['https://a.b/ ', 'https://', 'https://a@', 'a@b.c ', '[a](/b)', '![a](/b)'],
		...['> ', '- ', '1. ', '# a\n', '> a\n\n', '- a\n\n', 'a\n---\n', '```\n', '    a\n'],
		...['**a** `b` '],
	].map((unit): [string, (length: number) => string] => [JSON.stringify(unit), repeated(unit)]),
	['nested images', (length) => '!['.repeat(length / 6) + '](u)'.repeat(length / 6)],
	['nested links', (length) => '['.repeat(length / 6) + '](/u)'.repeat(length / 6)],
	['nested emphasis', (length) => '*a '.repeat(length / 6) + 'b* '.repeat(length / 6)],
	['bold over many parts', (length) => `**${'a `b` '.repeat(length / 6)}c**`],
	['a list of ever deeper items', (length) => deeper('- a', length)],
	['a quote of ever deeper quotes', (length) => deeper('> a', length)],
	['lines that continue a deep list', (length) => '- '.repeat(50) + 'a\n'.repeat(length / 2)],
	['a table with many rows', (length) => `|a|b|\n|-|-|\n${'|a|b|\n'.repeat(length / 6)}`],
	[
		'a table with many columns',
		(length) => `${'|a'.repeat(length / 4)}\n${'|-'.repeat(length / 4)}\n`,
	],
	[
		'a table with a long head',
		(length) => `|${'a'.repeat(length / 2)}|\n|-|\n${'|a|\n'.repeat(length / 8)}`,
	],
	[
		'a table with empty cells',
		(length) => `${'|a'.repeat(500)}\n${'|-'.repeat(500)}\n${'|\n'.repeat(length / 2)}`,
	],
];

function deeper(line: string, length: number): string {
	let text = '';
	for (let depth = 0; text.length < length; depth++) text += `${'  '.repeat(depth)}${line}\n`;
	return text;
}

/** A quadratic conversion of four times the sample already takes longer than SHORT_MS. */
const LENGTH = depth(6_000, 100_000);

/** Less cannot hurt, and is too short to be compared. The slowest text takes 2 s on a slow machine. */
const SHORT_MS = 3_000;

test.each(HOSTILE)('converts in linear time: %s', (_name, textOf) => {
	const msFor = (length: number) => cpuMs(() => chatText(textOf(length)));
	const short = msFor(LENGTH);
	// 4 times as much if it is linear, 16 times if it is quadratic.
	expect(msFor(4 * LENGTH)).toBeLessThan(Math.max(SHORT_MS, 10 * short));
});

test('converts a long text, in the deep tests the longest one', () => {
	const word = '**a** _b_ `c` [d](/e)\n';
	const count = Math.floor(MAX_TEXT_LENGTH / depth(4, 1) / word.length);
	const text = word.repeat(count);
	const chat = '*a* _b_ `c` d: /e\n'.repeat(count);
	expect(chatText(text)).toBe(chat.trimEnd());
});

test('leaves a text as it is if it is nested too deeply to convert', () => {
	const text = `**a**\n\n${'> '.repeat(60)}b`;
	expect(chatText(text)).toBe(text);
	expect(chatText(`**a**\n\n${'> '.repeat(30)}b`)).toBe('*a*\n\n> b');
});
