import MarkdownIt from 'markdown-it';

import { CHARACTERS, decodeHTMLStrict } from '../../../gateway/text/namedEntities';

/** Outside of the build, it uses the table of all names. */
const { unescapeAll } = new MarkdownIt().utils;

test('each name is the same character as in HTML', () => {
	for (const name of CHARACTERS.keys()) {
		const character = unescapeAll(`&${name};`);
		expect(character).not.toBe(`&${name};`);
		expect(decodeHTMLStrict(`&${name};`)).toBe(character);
	}
});

test.each(['unknown', 'constructor', ''])('the unknown name "%s" stays as it is', (name) => {
	expect(decodeHTMLStrict(`&${name};`)).toBe(`&${name};`);
});
