import { decodeHTMLStrict as decode } from 'entities';

import { CHARACTERS, decodeHTMLStrict } from '../../gateway/namedEntities';

test.each([...CHARACTERS.keys()])('&%s; is the same character as in HTML', (name) => {
	expect(decodeHTMLStrict(`&${name};`)).toBe(decode(`&${name};`));
	expect(decodeHTMLStrict(`&${name};`)).not.toBe(`&${name};`);
});

test('an unknown name stays as it is', () => {
	expect(decodeHTMLStrict('&unknown;')).toBe('&unknown;');
	expect(decodeHTMLStrict('&constructor;')).toBe('&constructor;');
});
