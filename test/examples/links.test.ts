/** A text of a customer must not bring a link into a question: the expressions that replace links, as the examples have them. */
import { evaluate, fieldsOf, parametersOf } from '../harness/exampleCode';

const expressionIn = (text: unknown) => /\.split\(.*?\.join\(' '\)/.exec(text as string)![0];
const EXPRESSION = expressionIn(fieldsOf('10-approval', 'Request').text);
const withoutLinks = (text: string) => evaluate(`={{ text${EXPRESSION} }}`, { text });

test('is the same in both examples', () => {
	const { message } = parametersOf('7c-agent-with-approval', 'Ask a colleague');
	expect(expressionIn(message)).toBe(EXPRESSION);
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
