import { tests as EXAMPLES } from 'commonmark-spec';
import fc from 'fast-check';

import { chatText } from '../../../gateway/text/markdown';
import { depth } from '../../harness/depth';
import { contentOf, missingFrom } from './markdownContent';

const lostOf = (markdown: string) => missingFrom(chatText(markdown), contentOf(markdown));

test.each(EXAMPLES)('nothing is lost of CommonMark $number: $section', ({ markdown }) => {
	// A text that becomes empty is sent as it is, which would hide a loss.
	const text = `before\n\n${markdown}\n\nafter`;
	expect({ chat: chatText(text), lost: lostOf(text) }).toEqual({
		chat: expect.any(String),
		lost: '',
	});
});

const MARKS = [
	...['*', '**', '***', '_', '__', '~~', '`', '``', '```', '\n```js\n', '\n~~~\n', '\\', '&amp;'],
	...['[', ']', '](', ')', '![', '](<', '>)', ']: ', '][', '<', '>', '</', '/>', '"', "'", '!'],
	...['\n# ', '\n> ', '\n- ', '\n* ', '\n+ ', '\n1. ', '\n24. ', '\n4711.\n', '\n---\n', '\n===\n'],
	...['|', '\n|-|-|\n', '\n|a|b|\n|-|-|\n|', '<br>', '</b>', '<a href="/h">', '<!--', '-->'],
	...['<url>', '<?', '?>', '=', '+', ' * ', ' - ', '/', '%'],
];
const TEXTS = [
	...['a', 'b', 'xyz', 'C', 'é', '好', '7', '42', '1', '.', ',', ':', '(', '#', '^', '&', ';'],
	...['https://a.example/p', 'https://b.example/x_y_z', '/r', 'a@b.example', 'tel:+49'],
];
const SPACES = [' ', ' ', '\n', '\n\n', '    ', '  \n'];
const anyText = fc
	.array(fc.oneof(...[MARKS, TEXTS, SPACES].map((units) => fc.constantFrom(...units))), {
		minLength: 1,
		maxLength: 30,
	})
	.map((units) => units.join(''));

test('nothing is lost of any text', () => {
	fc.assert(
		fc.property(anyText, (text) => {
			expect({ text, lost: lostOf(`before ${text}\n\nafter`) }).toEqual({ text, lost: '' });
		}),
		{ numRuns: depth(1_000, 60_000) },
	);
});
