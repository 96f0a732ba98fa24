/** A text of a customer must not bring a link into a question: the expressions that replace links, as the examples have them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';

/** The expression around `.split(…)`, applied to a text. */
function withoutLinks(example: string, text: string): string {
	const json = readFileSync(join(__dirname, `../../workflows/${example}.json`), 'utf8');
	const [expression] = /\.split\([^"]*?\.join\(' '\)/.exec(json)!;
	return runInNewContext(`text${JSON.parse(`"${expression}"`) as string}`, { text }) as string;
}

describe.each(['7c-agent-with-approval', '10-approval'])('example %s', (example) => {
	test.each([
		'https://evil.example/a?b',
		'//evil',
		'／／evil',
		'www.evil.com',
		'evil.com',
		'(evil.com)',
		'evil.x',
		'evil.com.',
		'evil．com',
		'evil。com',
		'evil｡com',
		'evil﹒com',
		'evil․com',
		'1.2.3.4/pay',
		'１.２.３.４',
		'müller.de',
		'例え.テスト',
		'ada@evil.com',
		'...evil.com',
	])('replaces %s', (link) => {
		expect(withoutLinks(example, `Please see ${link} now`)).toBe('Please see (link) now');
	});

	test('keeps everything else', () => {
		const text = 'Order 1007 arrived broken... ½ of it. Why?! A/B, 10:30, ﬁne。';
		expect(withoutLinks(example, text)).toBe(text);
	});

	test('makes one paragraph of it, without invisible characters', () => {
		expect(withoutLinks(example, 'a\n\nb\u200bc')).toBe('a b c');
	});
});
