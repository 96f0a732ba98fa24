/** A text of a customer must not bring a link into a question: the expressions that replace links, as the examples have them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';

import { FOLDER } from '../harness/exampleCode';

/** The expression around `.split(…)`. */
function expressionIn(example: string): string {
	const json = readFileSync(join(FOLDER, `${example}.json`), 'utf8');
	const [expression] = /\.split\([^"]*?\.join\(' '\)/.exec(json)!;
	return JSON.parse(`"${expression}"`) as string;
}

const withoutLinks = (text: string) =>
	runInNewContext(`text${expressionIn('10-approval')}`, { text }) as string;

test('is the same in both examples', () => {
	expect(expressionIn('7c-agent-with-approval')).toBe(expressionIn('10-approval'));
});

test.each([
	...['https://evil.example/a?b', '//evil', '／／evil', '(evil.com)', 'evil.x', 'evil.com.'],
	...['evil．com', 'evil。com', 'evil｡com', 'evil﹒com', 'evil․com', '1.2.3.4/pay', '１.２.３.４'],
	...['müller.de', '例え.テスト', 'ada@evil.com', '...evil.com'],
])('replaces %s', (link) => {
	expect(withoutLinks(`Please see ${link} now`)).toBe('Please see (link) now');
});

test('keeps everything else, in one paragraph without invisible characters', () => {
	const text = 'Order 1007 arrived broken... ½ of it. Why?! A/B, 10:30, ﬁne。';
	expect(withoutLinks(`${text}\n\na\u200bb`)).toBe(`${text} a b`);
});
